import { authenticated, Role } from "@clicks/core/access/Caller"
import { TokenVerifier } from "@clicks/core/access/TokenVerifier"
import { portError } from "@clicks/core/values/PortError"
import { unstorableReason } from "@clicks/core/values/Text"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import {
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify
} from "jose"

export interface JsonWebTokensOptions {
  /** Required `iss`. */
  readonly issuer?: string
  /** Required `aud`, or an element of it. */
  readonly audience?: string
}

// Seconds by which the clocks of two machines may differ.
const clockTolerance = 10

const isRole = Schema.is(Role)

const toCaller = ({ sub, ["role"]: role }: JWTPayload) =>
  typeof sub !== "string" || sub === "" || unstorableReason(sub) !== undefined
    ? Option.none()
    : Option.some(authenticated(sub, isRole(role) ? role : null))

// Other failures, such as a key set that cannot be fetched or parsed, do not make the token invalid.
const isBadToken = (cause: unknown): boolean =>
  cause instanceof errors.JOSEError &&
  !(cause instanceof errors.JWKSTimeout) &&
  !(cause instanceof errors.JWKSInvalid) &&
  cause.code !== "ERR_JOSE_GENERIC"

// `jwtVerify` checks `iat` only if tokens have a maximum age.
const isIssued = ({ iat }: JWTPayload): boolean =>
  iat === undefined || iat <= Math.floor(Date.now() / 1000) + clockTolerance

const make = (verify: (token: string) => Promise<{ readonly payload: JWTPayload }>) =>
  TokenVerifier.of({
    verify: (token) =>
      Effect.tryPromise({
        try: () => verify(Redacted.value(token)),
        catch: portError("token issuer")("verify")
      }).pipe(
        Effect.map(({ payload }) => (isIssued(payload) ? toCaller(payload) : Option.none())),
        Effect.catchIf(
          ({ cause }) => isBadToken(cause),
          (error) => Effect.as(Effect.logDebug("Token rejected", error), Option.none())
        )
      )
  })

const rules = (options: JsonWebTokensOptions): JWTVerifyOptions => ({
  ...options,
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
    make((token) => jwtVerify(token, key, { ...rules(options), algorithms: ["HS256"] }))
  )
}

// Anyone can cause fetches: by sending tokens with an unknown key id or, while the issuer is down, any tokens.
const fetchPause = 10_000

/** Fetches at most once in ten seconds, whether the fetch succeeds or fails. */
const limitedFetch = (): FetchImplementation => {
  let pausedUntil = 0
  let latest: Promise<Response>
  return async (url, options) => {
    if (performance.now() < pausedUntil) {
      const { ok, status } = await latest
      const cause = ok ? undefined : `HTTP status ${status}`
      throw new Error("The key set is fetched at most once in 10 seconds", { cause })
    }
    pausedUntil = performance.now() + fetchPause
    latest = fetch(url, options)
    return latest
  }
}

/**
 * Accepts tokens signed with a key that an issuer publishes as a JWK Set. Keys are cached for ten minutes. A token with an unknown key id
 * causes another fetch, at most every thirty seconds. Without keys, `verify` fails, and fetches again after ten seconds at the earliest.
 */
export const layerKeySet = (url: URL, options: JsonWebTokensOptions = {}): Layer.Layer<TokenVerifier> =>
  Layer.sync(TokenVerifier, () => {
    const keys = createRemoteJWKSet(url, {
      timeoutDuration: 3_000,
      cooldownDuration: 30_000,
      cacheMaxAge: 600_000,
      [customFetch]: limitedFetch()
    })
    // Needs no list of algorithms: with a key set, jose accepts only asymmetric ones, so a public key is never used as a shared secret.
    return make((token) => jwtVerify(token, keys, rules(options)))
  })
