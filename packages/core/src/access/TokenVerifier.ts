import { Context, Effect, Layer, Option, type Redacted, Schema } from "effect"
import type { Caller } from "./Caller.ts"

/** The token cannot be checked because the issuer's keys cannot be fetched. It may be valid. */
export class TokenVerifierError extends Schema.TaggedError<TokenVerifierError>()("TokenVerifierError", {
  cause: Schema.Defect()
}) {
  override readonly message = "The keys of the token issuer cannot be reached"
}

/** Verifies credentials that are not API keys: tokens of another issuer, such as JSON Web Tokens. */
export class TokenVerifier extends Context.Service<
  TokenVerifier,
  {
    /** The caller of a token; none when the token is invalid. */
    readonly verify: (token: Redacted.Redacted) => Effect.Effect<Option.Option<Caller>, TokenVerifierError>
  }
>()("@clicks/core/access/TokenVerifier") {}

/** No issuer is configured: every token is invalid. */
export const layerNone: Layer.Layer<TokenVerifier> = Layer.succeed(TokenVerifier, {
  verify: () => Effect.succeed(Option.none())
})
