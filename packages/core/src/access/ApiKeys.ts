import { Context, type Effect, type Option, type Redacted, Schema } from "effect"
import type { ApiKey } from "./ApiKey.ts"
import type { Role } from "./Caller.ts"

/** The keys cannot be reached. */
export class ApiKeysError extends Schema.TaggedError<ApiKeysError>()("ApiKeysError", {
  operation: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The API keys cannot be reached (${this.operation})`
  }
}

export interface NewApiKey {
  readonly user_id: string
  readonly role: Role
  readonly name: string | null
}

/** The keys that callers present. Only a hash of each secret is kept. */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Makes a key. The secret is in the answer and nowhere else. */
    readonly create: (
      key: NewApiKey
    ) => Effect.Effect<{ readonly key: ApiKey; readonly secret: Redacted.Redacted }, ApiKeysError>
    /** The key that a secret belongs to; none when it is unknown or revoked. */
    readonly verify: (secret: Redacted.Redacted) => Effect.Effect<Option.Option<ApiKey>, ApiKeysError>
    /** All keys, revoked ones too, newest first. */
    readonly list: Effect.Effect<ReadonlyArray<ApiKey>, ApiKeysError>
    /** Ends a key at once and returns it; none when there is no such key. Revoking again changes nothing. */
    readonly revoke: (id: string) => Effect.Effect<Option.Option<ApiKey>, ApiKeysError>
  }
>()("@clicks/core/access/ApiKeys") {}
