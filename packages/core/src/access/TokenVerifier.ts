import { Context, Effect, Layer, Option, type Redacted } from "effect"
import type { PortError } from "../values/PortError.ts"
import type { Caller } from "./Caller.ts"

/** Verifies credentials that are not API keys: tokens of another issuer, such as JSON Web Tokens. */
export class TokenVerifier extends Context.Service<
  TokenVerifier,
  {
    /** The caller of a token; none when it is invalid. Fails when the issuer's keys cannot be fetched: it may be valid. */
    readonly verify: (token: Redacted.Redacted) => Effect.Effect<Option.Option<Caller>, PortError>
  }
>()("@clicks/core/access/TokenVerifier") {}

/** No issuer is configured: every token is invalid. */
export const layerNone: Layer.Layer<TokenVerifier> = Layer.succeed(TokenVerifier, {
  verify: () => Effect.succeed(Option.none())
})
