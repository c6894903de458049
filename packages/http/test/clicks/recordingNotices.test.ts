import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rawSocket, requestText } from "../rawSocket.ts"
import { type Answer, click, many, one, posting, testServer } from "../TestServer.ts"

const notice = (answer: Answer): string | null => {
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.headers.get("click-notice")
}
const key = { "Idempotency-Key": "a-key" }
const badKey = { "Idempotency-Key": "not visible" }
const badKeyNotice = "Idempotency-Key ignored: must be 1 to 255 visible ASCII characters"

describe("Click-Notice of a recorded click", () => {
  it.live("lists the ignored fields; the click is stored without them", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const sent = { ...click, user_id: "u-1", store_id: "s-1", price: 12.5 }
      for (const headers of [{}, key]) {
        const answer = yield* server.ask(one, posting(sent, headers))
        assert.strictEqual(notice(answer), "Ignored fields: user_id, price")
        assert.strictEqual(answer.text, '{"status":"ok"}')
        assert.strictEqual(answer.headers.get("click-receipt"), "stored")
      }
      assert.deepStrictEqual(
        (yield* server.stored).map(({ store_id, user_id }) => [store_id, user_id]),
        [
          ["s-1", null],
          ["s-1", null]
        ]
      )
      assert.strictEqual(
        notice(yield* server.ask(one, posting(sent, badKey))),
        `${badKeyNotice}; Ignored fields: user_id, price`
      )
    })
  )

  it.live("is absent if everything that was sent is stored", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const whole = { ...click, event_type: "product_click", occurred_at: null, visitor_lat: 0, store_id: 17 }
      assert.isNull(notice(yield* server.ask(one, posting(whole))))
      assert.isNull(notice(yield* server.ask(one, posting(whole, key))))
      assert.isNull(notice(yield* server.ask(many, posting([whole, whole]))))
      assert.strictEqual(
        notice(yield* server.ask(one, posting({ ...whole, event_type: "sale" }))),
        "Ignored fields: event_type"
      )
    })
  )

  it.live("lists each ignored field of many clicks once, including those of rejected clicks", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const sent = [{ ...click, price: 1 }, { ...click, price: 2, user_id: "u-1" }, { sku: "a" }, click]
      assert.strictEqual(
        notice(yield* server.ask(many, posting(sent, badKey))),
        `${badKeyNotice}; Ignored fields: price, user_id, sku`
      )
      const lines = { method: "POST", headers: { "Content-Type": "application/x-ndjson" } }
      const body = sent.map((value) => JSON.stringify(value)).join("\n")
      assert.strictEqual(
        notice(yield* server.ask(many, { ...lines, body })),
        "Ignored fields: price, user_id, sku"
      )
    })
  )

  it.live("is short and safe for a header, whatever the names are", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const names = ["a\r\nClick-Receipt: x", "é\0", "x".repeat(60_000), "", "p", "q", "r"]
      const sent = { ...click, ...Object.fromEntries(names.map((name) => [name, 1])) }
      const text = `Ignored fields: a??Click-Receipt:?x, ??, ${"x".repeat(40)}..., "", p and 2 more`
      assert.strictEqual(notice(yield* server.ask(one, posting(sent))), text)
      assert.strictEqual(notice(yield* server.ask(many, posting([sent, sent]))), text)
      const socket = yield* rawSocket(server.port)
      socket.write(requestText(one, JSON.stringify(sent)))
      assert.include(yield* socket.receive(/"ok"}$/), `\r\nclick-notice: ${text}\r\n`)
      const fields = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`f${n}`, n]))
      const answer = yield* server.ask(one, posting({ ...click, ...fields }))
      assert.strictEqual(notice(answer), "Ignored fields: f0, f1, f2, f3, f4 and 1995 more")
    })
  )

  it.live("reports what could not be stored as sent", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const sent = { ...click, visitor_lat: "north", store_id: {}, extra: 1 }
      const text = "Not stored as sent: store_id is not a text, visitor_lat is not a number"
      for (const headers of [{}, key]) {
        assert.strictEqual(
          notice(yield* server.ask(one, posting(sent, headers))),
          `Ignored fields: extra; ${text}`
        )
      }
      const batch = (...items: ReadonlyArray<object>) =>
        Effect.map(server.ask(many, posting([click, ...items])), notice)
      assert.strictEqual(yield* batch(sent), "Ignored fields: extra; Not stored as sent: values of 1 click")
      const lossy = { ...click, store_id: {} }
      assert.strictEqual(yield* batch(lossy, lossy), "Not stored as sent: values of 2 clicks")
    })
  )
})
