import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { click, many, one, posting, testServer } from "../TestServer.ts"

const shop = "https://shop.example"

const preflight = (origin: string, asked = "content-type, idempotency-key, traceparent") => ({
  method: "OPTIONS",
  headers: {
    Origin: origin,
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": asked
  }
})

describe("recording from pages of other origins", () => {
  it.live("is allowed to all by default, without credentials", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const path of [one, many]) {
        const { headers, status } = yield* server.ask(path, preflight(shop))
        assert.strictEqual(status, 204)
        assert.strictEqual(headers.get("access-control-allow-origin"), "*")
        assert.strictEqual(headers.get("access-control-allow-methods"), "POST")
        assert.strictEqual(
          headers.get("access-control-allow-headers"),
          "content-type, idempotency-key, traceparent"
        )
        assert.strictEqual(headers.get("access-control-allow-credentials"), null)
      }
      for (const body of [click, {}]) {
        const { headers } = yield* server.ask(one, posting(body, { Origin: shop }))
        assert.strictEqual(headers.get("access-control-allow-origin"), "*")
        assert.strictEqual(
          headers.get("access-control-expose-headers"),
          "Click-Id, Click-Receipt, Click-Notice"
        )
      }
    })
  )

  it.live("is allowed to those listed, when there is a list; others record without reading the answer", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { corsOrigins: [shop, "https://www.shop.example"] } })
      const allowed = function* (origin: string) {
        const asked = yield* server.ask(one, preflight(origin))
        const sent = yield* server.ask(one, posting(click, { Origin: origin }))
        assert.strictEqual(sent.status, 200)
        assert.strictEqual(sent.headers.get("vary"), "Origin")
        return [asked, sent].map(({ headers }) => headers.get("access-control-allow-origin"))
      }
      assert.deepStrictEqual(yield* allowed(shop), [shop, shop])
      assert.deepStrictEqual(yield* allowed("https://www.shop.example"), [
        "https://www.shop.example",
        "https://www.shop.example"
      ])
      assert.deepStrictEqual(yield* allowed("https://evil.example"), [null, null])
      assert.deepStrictEqual(yield* allowed("https://shop.example.evil.example"), [null, null])
    })
  )

  it.live("does not open the listing to them", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { headers } = yield* server.askAdmin(many, { headers: { Origin: shop } })
      assert.strictEqual(headers.get("access-control-allow-origin"), null)
    })
  )
})
