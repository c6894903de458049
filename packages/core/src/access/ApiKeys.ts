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
 * What a listener for revocations receives.
 *
 * - `Listening`: every revocation from now on is reported. Those before may have been missed.
 * - `Deaf`: revocations may be missed until the next `Listening`.
 */
export type RevocationSignal =
  | { readonly _tag: "Listening" }
  | { readonly _tag: "Deaf" }
  | { readonly _tag: "Revoked"; readonly id: string }

/** The keys of callers. Only a hash of each secret is stored. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Creates a key. The secret is returned here and stored nowhere. */
    readonly create: (
      key: NewApiKey
    ) => Effect.Effect<{ readonly key: ApiKey; readonly secret: Redacted.Redacted }, PortError>
    /** The key with this secret; none if it is unknown or revoked. */
    readonly verify: (secret: Redacted.Redacted) => Effect.Effect<Option.Option<ApiKey>, PortError>
    /** All keys, revoked ones too, newest first. */
    readonly list: Effect.Effect<ReadonlyArray<ApiKey>, PortError>
    /** Revokes a key at once and returns it; none when there is no such key. Revoking again changes nothing. */
    readonly revoke: (id: string) => Effect.Effect<Option.Option<ApiKey>, PortError>
    /** Revocations by any process, without end. A listener that loses its connection reports `Deaf` and reconnects. */
    readonly revocations: Stream.Stream<RevocationSignal>
  }
>()("@clicks/core/access/ApiKeys") {}
