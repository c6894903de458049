import { TokenVerifier } from "@clicks/core/access/TokenVerifier"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { exportSPKI, UnsecuredJWT } from "jose"
import * as JsonWebTokens from "../../src/access/JsonWebTokens.ts"
import { issuer, keyPair, signWith } from "./TokenIssuer.ts"

const secret = "a-secret-of-at-least-thirty-two-bytes"
const secretKey = new TextEncoder().encode(secret)
const now = () => Math.floor(Date.now() / 1000)

const sign = (
  claims: Record<string, unknown>,
  key: Parameters<typeof signWith>[0] = secretKey,
  header: { readonly alg: string; readonly kid?: string } = { alg: "HS256" }
) => signWith(key, header, claims)

/** The caller of a token, as [user id, role], or null. */
const verify = Effect.fnUntraced(function* (token: string) {
  const found = yield* TokenVerifier.use(({ verify }) => verify(Redacted.make(token)))
  const caller = Option.getOrUndefined(found)
  return caller?._tag === "Authenticated" ? [caller.userId, caller.role] : null
})

const withSecret = Effect.provide(JsonWebTokens.layerSecret(Redacted.make(secret)))

describe("tokens signed with a secret", () => {
  it.live("identify the user and the role", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* verify(yield* sign({ sub: "u-1", role: "admin" })), ["u-1", "admin"])
      assert.deepStrictEqual(yield* verify(yield* sign({ sub: "u-1", role: "reader" })), ["u-1", "reader"])
      assert.deepStrictEqual(yield* verify(yield* sign({ sub: "u-1" })), ["u-1", null])
      assert.deepStrictEqual(yield* verify(yield* sign({ sub: "u-1", role: "root" })), ["u-1", null])
      assert.deepStrictEqual(yield* verify(yield* sign({ sub: "u-1", role: ["admin"] })), ["u-1", null])
    }).pipe(withSecret)
  )

  it.live("require a sub that can be stored", () =>
    Effect.gen(function* () {
      for (const sub of [undefined, "", "a\0b", "\ud800"]) {
        assert.strictEqual(yield* verify(yield* sign({ role: "admin", sub })), null)
      }
    }).pipe(withSecret)
  )

  it.live("are valid from iat and nbf to exp, with ten seconds of tolerance", () =>
    Effect.gen(function* () {
      const within = (claims: Record<string, number>) =>
        Effect.flatMap(sign({ sub: "u-1", ...claims }), verify)
      assert.isNotNull(yield* within({ exp: now() + 60, nbf: now() - 60 }))
      assert.isNotNull(yield* within({ exp: now() - 5 }))
      assert.isNotNull(yield* within({ nbf: now() + 5 }))
      assert.isNull(yield* within({ exp: now() - 60 }))
      assert.isNull(yield* within({ nbf: now() + 60 }))
      assert.isNotNull(yield* within({ iat: now() + 5 }))
      assert.isNull(yield* within({ iat: now() + 60 }))
    }).pipe(withSecret)
  )

  it.live("are rejected unless signed with HS256 and this secret", () =>
    Effect.gen(function* () {
      const good = yield* sign({ sub: "u-1" })
      const other = new TextEncoder().encode("another-secret-of-thirty-two-bytes-")
      const rsa = yield* keyPair("RS256")
      const bad = [
        yield* sign({ sub: "u-1" }, other),
        yield* sign({ sub: "u-1" }, secretKey, { alg: "HS512" }),
        yield* sign({ sub: "u-1" }, rsa.privateKey, { alg: "RS256" }),
        new UnsecuredJWT({ sub: "u-1" }).encode(),
        `${good.slice(0, -3)}AAA`,
        good.split(".").slice(0, 2).join("."),
        "nonsense",
        ""
      ]
      for (const token of bad) assert.strictEqual(yield* verify(token), null, token)
    }).pipe(withSecret)
  )

  it.live("must match the issuer and the audience if those are set", () =>
    Effect.gen(function* () {
      const check = (claims: Record<string, unknown>) =>
        Effect.flatMap(sign({ sub: "u-1", ...claims }), verify)
      assert.isNotNull(yield* check({ iss: "https://issuer.example", aud: ["clicks", "other"] }))
      assert.isNull(yield* check({ iss: "https://evil.example", aud: "clicks" }))
      assert.isNull(yield* check({ iss: "https://issuer.example", aud: "other" }))
      assert.isNull(yield* check({}))
    }).pipe(
      Effect.provide(
        JsonWebTokens.layerSecret(Redacted.make(secret), {
          issuer: "https://issuer.example",
          audience: "clicks"
        })
      )
    )
  )
})

describe("tokens signed with published keys", () => {
  it.live("are verified with a key that is fetched once", () =>
    Effect.gen(function* () {
      const pairs = [yield* keyPair("RS256"), yield* keyPair("ES256"), yield* keyPair("EdDSA")]
      const { asked, url } = yield* issuer(() => pairs.map(({ jwk }) => jwk))
      yield* Effect.gen(function* () {
        for (const { jwk, privateKey } of pairs) {
          const token = yield* sign({ sub: "u-1", role: "reader" }, privateKey, {
            alg: jwk.alg,
            kid: jwk.kid
          })
          assert.deepStrictEqual(yield* verify(token), ["u-1", "reader"], jwk.alg)
        }
        assert.strictEqual(asked(), 1)
      }).pipe(Effect.provide(JsonWebTokens.layerKeySet(url)))
    })
  )

  it.live("are rejected if signed with a public key as the secret, or not at all", () =>
    Effect.gen(function* () {
      const rsa = yield* keyPair("RS256")
      const stranger = yield* keyPair("RS256")
      const oct = { kty: "oct", k: Buffer.from(secret).toString("base64url"), kid: "oct", alg: "HS256" }
      const { url } = yield* issuer(() => [rsa.jwk, oct])
      const publicPem = yield* Effect.promise(() => exportSPKI(rsa.publicKey))
      yield* Effect.gen(function* () {
        const bad = [
          yield* sign({ sub: "u-1" }, new TextEncoder().encode(publicPem), { alg: "HS256", kid: "RS256" }),
          yield* sign({ sub: "u-1" }, secretKey, { alg: "HS256", kid: "oct" }),
          yield* sign({ sub: "u-1" }, stranger.privateKey, { alg: "RS256", kid: "RS256" }),
          yield* sign({ sub: "u-1" }, rsa.privateKey, { alg: "RS256", kid: "unknown" }),
          new UnsecuredJWT({ sub: "u-1" }).encode()
        ]
        for (const token of bad) assert.strictEqual(yield* verify(token), null, token)
      }).pipe(Effect.provide(JsonWebTokens.layerKeySet(url)))
    })
  )
})
