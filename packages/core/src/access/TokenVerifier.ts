import { Context, Effect, Layer, Option, type Redacted } from "effect"
import type { Caller } from "./Caller.ts"

/** The second way in beside API keys: tokens that somebody else issued, such as JSON Web Tokens. */
export class TokenVerifier extends Context.Service<
  TokenVerifier,
  {
    /** The caller that a token speaks for; none when it does not check out. Never fails: doubt is none. */
    readonly verify: (token: Redacted.Redacted) => Effect.Effect<Option.Option<Caller>>
  }
>()("@clicks/core/access/TokenVerifier") {}

/** No issuer is configured: no token checks out. */
export const layerNone: Layer.Layer<TokenVerifier> = Layer.succeed(TokenVerifier, {
  verify: () => Effect.succeed(Option.none())
})
