import { authenticated, Role } from "@clicks/core/access/Caller"
import { TokenVerifier } from "@clicks/core/access/TokenVerifier"
import { unstorableReason } from "@clicks/core/clicks/StorableText"
import { Data, Effect, Layer, Option, Redacted, Schema } from "effect"
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from "jose"

export interface JsonWebTokensOptions {
  /** What `iss` must be, when given. */
  readonly issuer?: string
  /** What `aud` must be or hold, when given. */
  readonly audience?: string
}

// The algorithm is the operator's choice and never the token's: a shared secret verifies HS256 alone, published keys
// verify signatures alone, so that a public key can never pass for a secret, and "none" for nothing.
const secretAlgorithms = ["HS256"]
const keySetAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA"
]

// Clocks of two machines differ by seconds.
const clockTolerance = "10 seconds"

class TokenRefused extends Data.TaggedError("TokenRefused")<{ readonly cause: unknown }> {}

const isRole = Schema.is(Role)

const toCaller = ({ sub, ["role"]: role }: JWTPayload) =>
  typeof sub !== "string" || sub === "" || unstorableReason(sub) !== undefined
    ? Option.none()
    : Option.some(authenticated(sub, isRole(role) ? role : null))

// A token that is bad says something about its bearer; anything else, such as keys that cannot be fetched, about us.
const isBadToken = (cause: unknown): boolean =>
  cause instanceof errors.JOSEError &&
  !(cause instanceof errors.JWKSTimeout) &&
  cause.code !== "ERR_JOSE_GENERIC"

const report = (error: TokenRefused) =>
  isBadToken(error.cause)
    ? Effect.logDebug("A token was refused", error)
    : Effect.logWarning("A token could not be verified", error)

const make = (verify: (token: string) => Promise<{ readonly payload: JWTPayload }>) =>
  TokenVerifier.of({
    verify: (token) =>
      Effect.tryPromise({
        try: () => verify(Redacted.value(token)),
        catch: (cause) => new TokenRefused({ cause })
      }).pipe(
        Effect.map(({ payload }) => toCaller(payload)),
        Effect.tapError(report),
        Effect.orElseSucceed(() => Option.none())
      )
  })

const rules = (algorithms: Array<string>, options: JsonWebTokensOptions): JWTVerifyOptions => ({
  ...options,
  algorithms,
  clockTolerance,
  requiredClaims: ["sub"]
})

/** Accepts tokens signed with a shared secret (HS256). */
export const layerSecret = (
  secret: Redacted.Redacted,
  options: JsonWebTokensOptions = {}
): Layer.Layer<TokenVerifier> => {
  const key = new TextEncoder().encode(Redacted.value(secret))
  return Layer.succeed(
    TokenVerifier,
    make((token) => jwtVerify(token, key, rules(secretAlgorithms, options)))
  )
}

/**
 * Accepts tokens signed with a key that an issuer publishes as a JWK Set. Keys are kept for ten minutes; an unknown key
 * id fetches them again, at most every thirty seconds.
 */
export const layerKeySet = (url: URL, options: JsonWebTokensOptions = {}): Layer.Layer<TokenVerifier> =>
  Layer.sync(TokenVerifier, () => {
    const keys = createRemoteJWKSet(url, {
      timeoutDuration: 3_000,
      cooldownDuration: 30_000,
      cacheMaxAge: 600_000
    })
    return make((token) => jwtVerify(token, keys, rules(keySetAlgorithms, options)))
  })
