import { Context, Duration, Effect, type Option, type Redacted } from "effect"
import { Base64Url } from "effect/encoding"
import type { PortError } from "../values/PortError.ts"
import { randomBytes } from "../values/WebCrypto.ts"
import type { Role } from "./Caller.ts"

/** `session`: what a browser presents after logging in. `link`: a login without a key, valid once. */
export type SessionKind = "session" | "link"

export const lifetimes: { readonly [kind in SessionKind]: Duration.Duration } = {
  session: Duration.hours(12),
  link: Duration.minutes(1)
}

/** A login with an API key. */
export interface Session {
  /** The id of the API key; for the admin key of the settings, its SHA-256. */
  readonly key: string
  /** Whose API key it is; null if the key is revoked or not an API key. */
  readonly owner: { readonly user_id: string; readonly role: Role } | null
  readonly expires_at: Date
}

/** A new token: 256 random bits in base64url. */
export const generateToken = Effect.sync(() => Base64Url.encode(randomBytes(32)))

/** Logins that have neither ended nor expired. Only hashes of their tokens are stored. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** Begins a session for a key, without checking the key. The token is returned here and stored nowhere. */
    readonly begin: (
      kind: SessionKind,
      key: string
    ) => Effect.Effect<{ readonly token: Redacted.Redacted; readonly expires_at: Date }, PortError>
    /** The session of a token; none when it has ended, has expired or never began. */
    readonly find: (token: Redacted.Redacted) => Effect.Effect<Option.Option<Session>, PortError>
    /** Ends the session with this token and returns it. Of several concurrent calls, only one gets it. */
    readonly end: (
      kind: SessionKind,
      token: Redacted.Redacted
    ) => Effect.Effect<Option.Option<Session>, PortError>
  }
>()("@clicks/core/access/Sessions") {}
