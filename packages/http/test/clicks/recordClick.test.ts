import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { click, one, posting, testServer } from "../TestServer.ts"

const without = (field: keyof typeof click) => ({ ...click, [field]: undefined })

describe("POST /api/events/product-click", () => {
  it.live('stores one record and returns exactly {"status":"ok"}', () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const answer = yield* server.ask(
        one,
        posting(
          { ...click, store_id: "s-17", visitor_lat: 33.45, occurred_at: "2026-11-20T10:00:00Z" },
          { "User-Agent": "Mozilla/5.0 (iPad; CPU OS 17_0)" }
        )
      )
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.text, '{"status":"ok"}')
      assert.strictEqual(answer.headers.get("content-type"), "application/json")
      assert.strictEqual(answer.headers.get("click-receipt"), "stored")
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
      assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")

      const [event, ...others] = yield* server.stored
      assert.deepStrictEqual(others, [])
      assert.strictEqual(event?.id, answer.headers.get("click-id"))
      assert.strictEqual(event?.product_id, "p-1")
      assert.strictEqual(event?.action, "view")
      assert.strictEqual(event?.source, "web")
      assert.strictEqual(event?.store_id, "s-17")
      assert.strictEqual(event?.visitor_lat, 33.45)
      assert.strictEqual(event?.brand_id, null)
      assert.strictEqual(event?.user_id, null)
      assert.strictEqual(event?.ip_address, "127.0.0.1")
      assert.strictEqual(event?.user_agent, "Mozilla/5.0 (iPad; CPU OS 17_0)")
      assert.strictEqual(event?.device_type, "tablet")
      assert.strictEqual(event?.event_type, "product_click")
      assert.strictEqual(event?.occurred_at.toISOString(), "2026-11-20T10:00:00.000Z")
    })
  )

  it.live("names the first broken rule, in the order product_id, action, source", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const refusal = function* (body: unknown) {
        const answer = yield* server.ask(one, posting(body))
        assert.strictEqual(answer.status, 400)
        const { error, status, ...rest } = answer.json as { status: string; error: string }
        assert.deepStrictEqual([status, rest], ["error", {}])
        return error
      }
      const product = "product_id is required and must be a non-empty string"
      const action = "action is required and must be one of: view, open_store, open_product, compare, other"
      const source = "source is required and must be a non-empty string"
      assert.strictEqual(yield* refusal({}), product)
      assert.strictEqual(yield* refusal(without("product_id")), product)
      assert.strictEqual(yield* refusal({ ...click, product_id: "" }), product)
      assert.strictEqual(yield* refusal({ ...click, product_id: 7 }), product)
      assert.strictEqual(yield* refusal({ product_id: "p-1" }), action)
      assert.strictEqual(yield* refusal({ ...click, action: "buy" }), action)
      assert.strictEqual(yield* refusal({ ...click, action: ["view"] }), action)
      assert.strictEqual(yield* refusal(without("source")), source)
      assert.strictEqual(yield* refusal({ ...click, source: "" }), source)
      assert.strictEqual(yield* refusal({ ...click, source: { name: "web" } }), source)
      assert.deepStrictEqual(yield* server.stored, [])
    })
  )

  it.live("accepts each of the five actions", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const action of ["view", "open_store", "open_product", "compare", "other"]) {
        const answer = yield* server.ask(one, posting({ ...click, action }))
        assert.strictEqual(answer.status, 200, action)
      }
      assert.strictEqual((yield* server.stored).length, 5)
    })
  )

  it.live("never fails because of other fields, and keeps the original of values that were lost", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const odd =
        '{"product_id":"p-1","action":"view","source":"web","visitor_city":{"a":1},"visitor_lat":"abc","occurred_at":"soon","store_id":17,"extra":[1]}'
      const answer = yield* server.ask(one, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: odd
      })
      assert.strictEqual(answer.status, 200)
      const [event] = yield* server.stored
      assert.strictEqual(event?.visitor_city, null)
      assert.strictEqual(event?.visitor_lat, null)
      assert.strictEqual(event?.store_id, "17")
      assert.deepStrictEqual(event?.occurred_at, event?.received_at)
      const [entry] = yield* server.quarantine.list(10)
      assert.strictEqual(new TextDecoder().decode(entry?.original), odd)
    })
  )

  it.live("stores the same Idempotency-Key once for each caller", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const known = yield* server.key("reader", "u-9")
      const send = (headers: Record<string, string>) =>
        server.ask(one, posting(click, { "Idempotency-Key": "k-1", ...headers }))
      const receipts = [
        yield* send({}),
        yield* send({}),
        yield* send({ Authorization: `Bearer ${known}` }),
        yield* send({ "X-API-Key": known })
      ].map(({ headers }) => headers.get("click-receipt"))
      assert.deepStrictEqual(receipts, ["stored", "duplicate", "stored", "duplicate"])
      assert.sameMembers(
        (yield* server.stored).map(({ user_id }) => user_id),
        [null, "u-9"]
      )
    })
  )

  it.live("accepts keys of 1 to 255 visible characters, and reports that it ignored any other", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const key of ["k", "~".repeat(255)]) {
        const first = yield* server.ask(one, posting(click, { "Idempotency-Key": key }))
        const second = yield* server.ask(one, posting(click, { "Idempotency-Key": key }))
        assert.strictEqual(first.headers.get("click-notice"), null)
        assert.strictEqual(second.headers.get("click-receipt"), "duplicate")
      }
      for (const key of ["", "x".repeat(256), "two words", "é"]) {
        for (const _ of [1, 2]) {
          const answer = yield* server.ask(one, posting(click, { "Idempotency-Key": key }))
          assert.strictEqual(answer.status, 200)
          assert.strictEqual(answer.headers.get("click-receipt"), "stored")
          assert.include(answer.headers.get("click-notice") ?? "", "Idempotency-Key ignored")
        }
      }
      assert.strictEqual((yield* server.stored).length, 2 + 4 * 2)
    })
  )

  it.live("lists a click as soon as its receipt is stored", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (let sent = 1; sent <= 20; sent++) {
        yield* server.ask(one, posting(click))
        const { json } = yield* server.askAdmin("/api/events/product-clicks?limit=1")
        assert.strictEqual((json as { total: number }).total, sent)
      }
    })
  )
})
