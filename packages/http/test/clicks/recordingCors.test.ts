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
  it.live("is allowed for every origin by default, with the credentials that browsers add", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const path of [one, many]) {
        const { headers, status } = yield* server.ask(path, preflight(shop))
        assert.strictEqual(status, 204)
        assert.strictEqual(headers.get("access-control-allow-origin"), shop)
        assert.strictEqual(headers.get("vary"), "Origin")
        assert.strictEqual(headers.get("access-control-allow-methods"), "POST")
        assert.strictEqual(
          headers.get("access-control-allow-headers"),
          "content-type, idempotency-key, traceparent"
        )
        assert.strictEqual(headers.get("access-control-allow-credentials"), "true")
      }
      for (const [path, body] of [
        [one, click],
        [one, {}],
        [many, [click]]
      ] as const) {
        const { headers } = yield* server.ask(path, posting(body, { Origin: shop }))
        assert.strictEqual(headers.get("access-control-allow-origin"), shop)
        assert.strictEqual(headers.get("access-control-allow-credentials"), "true")
        assert.strictEqual(headers.get("vary"), "Origin")
        assert.strictEqual(
          headers.get("access-control-expose-headers"),
          "Click-Id, Click-Receipt, Click-Notice"
        )
      }
    })
  )

  it.live("returns each origin to itself, and no origin to requests without one", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const origins = Array.from({ length: 600 }, (_, at) => `https://shop-${at}.example`)
      for (const origin of [
        ...origins,
        ...origins.slice(0, 3),
        "null",
        `https://${"x".repeat(400)}.example`
      ]) {
        const { headers } = yield* server.ask(one, posting(click, { Origin: origin }))
        assert.strictEqual(headers.get("access-control-allow-origin"), origin)
      }
      const { headers } = yield* server.ask(one, posting(click))
      assert.isNull(headers.get("access-control-allow-origin"))
      assert.strictEqual(headers.get("vary"), "Origin")
    })
  )

  it.live("is allowed for listed origins; others can record but not read the response", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { corsOrigins: [shop, "https://www.shop.example"] } })
      const allowed = function* (origin: string) {
        const asked = yield* server.ask(one, preflight(origin))
        const sent = yield* server.ask(one, posting(click, { Origin: origin }))
        assert.strictEqual(sent.status, 200)
        assert.strictEqual(sent.headers.get("vary"), "Origin")
        for (const { headers } of [asked, sent]) {
          const isAllowed = headers.has("access-control-allow-origin")
          assert.strictEqual(headers.get("access-control-allow-credentials"), isAllowed ? "true" : null)
        }
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

  it.live("does not let these pages read the listing", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { headers } = yield* server.askAdmin(many, { headers: { Origin: shop } })
      assert.strictEqual(headers.get("access-control-allow-origin"), null)
      assert.strictEqual(headers.get("access-control-allow-credentials"), null)
    })
  )
})
