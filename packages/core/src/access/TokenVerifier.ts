import { Context, Effect, Layer, Option, type Redacted, Schema } from "effect"
import type { Caller } from "./Caller.ts"

/** A token cannot be checked for now: the issuer's keys are out of reach. It may be good. */
export class TokenVerifierError extends Schema.TaggedError<TokenVerifierError>()("TokenVerifierError", {
  cause: Schema.Defect()
}) {
  override readonly message = "The keys of the token issuer cannot be reached"
}

/** The second way in beside API keys: tokens that somebody else issued, such as JSON Web Tokens. */
export class TokenVerifier extends Context.Service<
  TokenVerifier,
  {
    /** The caller that a token speaks for; none when it does not check out. */
    readonly verify: (token: Redacted.Redacted) => Effect.Effect<Option.Option<Caller>, TokenVerifierError>
  }
>()("@clicks/core/access/TokenVerifier") {}

/** No issuer is configured: no token checks out. */
export const layerNone: Layer.Layer<TokenVerifier> = Layer.succeed(TokenVerifier, {
  verify: () => Effect.succeed(Option.none())
})
