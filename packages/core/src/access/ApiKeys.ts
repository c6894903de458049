import { Context, type Effect, type Option, type Redacted, type Stream } from "effect"
import type { PortError } from "../values/PortError.ts"
import type { ApiKey } from "./ApiKey.ts"
import type { Role } from "./Caller.ts"

export interface NewApiKey {
  readonly user_id: string
  readonly role: Role
  readonly name: string | null
}

/**
 * What a listener for revocations learns.
 *
 * - `Listening`: every revocation from now on is reported. Those before may have been missed.
 * - `Deaf`: revocations may be missed until the next `Listening`.
 */
export type RevocationSignal =
  | { readonly _tag: "Listening" }
  | { readonly _tag: "Deaf" }
  | { readonly _tag: "Revoked"; readonly id: string }

/** The keys that callers present. Only a hash of each secret is kept. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Makes a key. The secret is in the answer and nowhere else. */
    readonly create: (
      key: NewApiKey
    ) => Effect.Effect<{ readonly key: ApiKey; readonly secret: Redacted.Redacted }, PortError>
    /** The key that a secret belongs to; none when it is unknown or revoked. */
    readonly verify: (secret: Redacted.Redacted) => Effect.Effect<Option.Option<ApiKey>, PortError>
    /** All keys, revoked ones too, newest first. */
    readonly list: Effect.Effect<ReadonlyArray<ApiKey>, PortError>
    /** Ends a key at once and returns it; none when there is no such key. Revoking again changes nothing. */
    readonly revoke: (id: string) => Effect.Effect<Option.Option<ApiKey>, PortError>
    /** Revocations by any process, without end. A listener that is cut off reports `Deaf` and reconnects. */
    readonly revocations: Stream.Stream<RevocationSignal>
  }
>()("@clicks/core/access/ApiKeys") {}
