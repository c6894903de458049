import { Schema } from "effect"

/** What a caller may do: a reader lists, queries and aggregates; an admin does everything. */
export const Role = Schema.Literals(["reader", "admin"])
export type Role = typeof Role.Type

/** A caller without a credential, or with an invalid one. */
export interface Anonymous {
  readonly _tag: "Anonymous"
}

/**
 * A known caller. `userId` is null for a trusted address; `role` is null when the credential grants none; `key` is the id of the API
 * key, or the SHA-256 of the admin key of the settings, and null without either.
 */
export interface Authenticated {
  readonly _tag: "Authenticated"
  readonly userId: string | null
  readonly role: Role | null
  readonly key: string | null
}

export type Caller = Anonymous | Authenticated

export const anonymous: Caller = { _tag: "Anonymous" }

export const authenticated = (
  userId: string | null,
  role: Role | null,
  key: string | null = null
): Caller => ({ _tag: "Authenticated", userId, role, key })

/** The user id that a click stores: null if anonymous. */
export const userId = (caller: Caller): string | null =>
  caller._tag === "Authenticated" ? caller.userId : null

/** Whether the caller has the rights of the role. Admins have those of readers. */
export const hasRole = (caller: Caller, role: Role): boolean =>
  caller._tag === "Authenticated" && (caller.role === "admin" || caller.role === role)
