import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { ApiKeys } from "../../src/access/ApiKeys.ts"
import * as ApiKeysMemory from "../../src/access/ApiKeysMemory.ts"
import { authenticate } from "../../src/access/authenticate.ts"
import { anonymous, authenticated, hasRole, userId } from "../../src/access/Caller.ts"
import { TokenVerifier } from "../../src/access/TokenVerifier.ts"

const tokens = Layer.succeed(TokenVerifier, {
  verify: (token) =>
    Effect.succeed(
      Redacted.value(token) === "good.jwt" ? Option.some(authenticated("u-jwt", "reader")) : Option.none()
    )
})

describe("authenticate", () => {
  it.layer(Layer.merge(ApiKeysMemory.layer, tokens))((it) => {
    it.effect("returns the user and role of a key until it is revoked", () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { key, secret } = yield* keys.create({ user_id: "u-1", role: "reader", name: null })
        assert.deepStrictEqual(yield* authenticate(secret), authenticated("u-1", "reader"))
        yield* keys.revoke(key.id)
        assert.deepStrictEqual(yield* authenticate(secret), anonymous)
      })
    )

    it.effect("passes credentials that are not keys to the token verifier", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(
          yield* authenticate(Redacted.make("good.jwt")),
          authenticated("u-jwt", "reader")
        )
      })
    )

    it.effect("treats invalid credentials as anonymous", () =>
      Effect.gen(function* () {
        for (const nonsense of ["", "x", "clk_", "clk_unknown", "bad.jwt"]) {
          assert.deepStrictEqual(yield* authenticate(Redacted.make(nonsense)), anonymous)
        }
      })
    )
  })
})

describe("Caller", () => {
  it("lets admins do everything that readers may, and others nothing", () => {
    assert.isTrue(hasRole(authenticated("u", "admin"), "reader"))
    assert.isTrue(hasRole(authenticated("u", "admin"), "admin"))
    assert.isTrue(hasRole(authenticated(null, "reader"), "reader"))
    assert.isFalse(hasRole(authenticated("u", "reader"), "admin"))
    assert.isFalse(hasRole(authenticated("u", null), "reader"))
    assert.isFalse(hasRole(anonymous, "reader"))
  })

  it("has no user id if anonymous", () => {
    assert.isNull(userId(anonymous))
    assert.strictEqual(userId(authenticated("u", null)), "u")
  })
})
