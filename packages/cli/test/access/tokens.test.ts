import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { issuer, keyPair, signWith } from "../../../http/test/access/TokenIssuer.ts"
import { stage } from "../clicks/storedClicks.ts"
import { onTestDatabase } from "../clicks.ts"
import { runService } from "../service/runningService.ts"

describe("a running service with a token issuer", () => {
  it.effect("accepts the issuer's tokens for its own audience only", () =>
    Effect.gen(function* () {
      const pair = yield* keyPair("RS256")
      const keys = yield* issuer(() => [pair.jwk])
      const { url } = yield* runService(["serve"], {
        ...(yield* onTestDatabase),
        CLICKS_JWKS_URL: keys.url.href,
        CLICKS_JWT_AUDIENCE: "clicks",
        CLICKS_JWT_ISSUER: "https://issuer.example"
      })
      const statusWith = Effect.fnUntraced(function* (claims: Record<string, unknown>) {
        const admin = { sub: "u-1", role: "admin", ...claims }
        const token = yield* signWith(pair.privateKey, { alg: "RS256", kid: "RS256" }, admin)
        const headers = { Authorization: `Bearer ${token}` }
        return yield* Effect.promise(() => fetch(`${url}/api/events/product-clicks`, { headers })).pipe(
          Effect.map(({ status }) => status)
        )
      })
      const iss = "https://issuer.example"
      assert.strictEqual(yield* statusWith({ iss, aud: "clicks" }), 200)
      assert.strictEqual(yield* statusWith({ iss, aud: ["billing", "clicks"] }), 200)
      assert.strictEqual(yield* statusWith({ iss, aud: "billing" }), 401)
      assert.strictEqual(yield* statusWith({ iss }), 401)
      assert.strictEqual(yield* statusWith({ iss: "https://other.example", aud: "clicks" }), 401)
      assert.strictEqual(yield* statusWith({ aud: "clicks" }), 401)
    }).pipe(Effect.provide(stage))
  )
})
