import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { RecordedMany } from "../../src/clicks/recording/RecordingApi.ts"
import { type Answer, click, many, one, posting, type TestServer, testServer } from "../TestServer.ts"

const nth = (n: number) => ({ ...click, product_id: `p-${n}` })
const clicks = (count: number) => Array.from({ length: count }, (_, n) => nth(n))
const lines = (values: ReadonlyArray<unknown>) => values.map((value) => JSON.stringify(value)).join("\n")

const send = (
  server: TestServer,
  body: string | Uint8Array<ArrayBuffer>,
  type: string,
  headers: Record<string, string> = {}
) => server.ask(many, { method: "POST", headers: { "Content-Type": type, ...headers }, body })

const summary = (answer: Answer): RecordedMany => {
  assert.strictEqual(answer.status, 200, answer.text)
  return answer.json as RecordedMany
}

const stored = (count: number): RecordedMany => ({
  status: "ok",
  stored: count,
  duplicates: 0,
  spooled: 0,
  dropped: 0,
  errors: []
})

describe("POST /api/events/product-clicks", () => {
  it.live("stores a JSON array, NDJSON or a single click, distinguished by type or content", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const three = clicks(3)
      const array = JSON.stringify(three, null, 2)
      for (const [body, type] of [
        [array, "application/json"],
        [array, "text/plain"],
        [lines(three), "application/x-ndjson"],
        [lines(three), "application/ndjson; charset=utf-8"],
        [lines(three), "application/jsonl"],
        [lines(three), "application/json"],
        [`\n${lines(three)}\r\n\r\n  \n`, "text/plain"]
      ] as const) {
        assert.deepStrictEqual(summary(yield* send(server, body, type)), stored(3), type)
      }
      assert.deepStrictEqual(summary(yield* server.ask(many, posting(click))), stored(1))
      assert.deepStrictEqual(summary(yield* server.ask(many, posting([]))), stored(0))
      assert.deepStrictEqual(summary(yield* send(server, "", "application/x-ndjson")), stored(0))
      const untyped = yield* server.ask(many, { method: "POST", body: new TextEncoder().encode(array) })
      assert.deepStrictEqual(summary(untyped), stored(3))
      assert.strictEqual((yield* server.stored).length, 7 * 3 + 1 + 3)
    })
  )

  it.live("validates each click separately", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const answer = yield* server.ask(
        many,
        posting([nth(0), null, { ...click, action: "buy" }, nth(3), [nth(4)], { ...click, visitor_city: {} }])
      )
      const object = "The body must be a JSON object with product_id, action and source"
      const action = "action is required and must be one of: view, open_store, open_product, compare, other"
      assert.deepStrictEqual(summary(answer), {
        ...stored(3),
        errors: [
          { index: 1, error: object },
          { index: 2, error: action },
          { index: 4, error: object }
        ]
      })
      assert.deepStrictEqual((yield* server.stored).map(({ product_id }) => product_id).sort(), [
        "p-0",
        "p-1",
        "p-3"
      ])
      const [entry] = yield* server.quarantine.list(10)
      assert.strictEqual(
        new TextDecoder().decode(entry?.original),
        JSON.stringify({ ...click, visitor_city: {} })
      )
    })
  )

  it.live("rejects only the line if a line cannot be read", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const good = JSON.stringify(click)
      const body = Buffer.concat([
        Buffer.from(`${good}\n{"product_id": \n\n${good}\n`),
        Buffer.from('{"product_id":"caf\xe9","action":"view","source":"web"}\n', "latin1"),
        Buffer.from(good)
      ])
      assert.deepStrictEqual(summary(yield* send(server, body, "application/x-ndjson")), {
        ...stored(3),
        errors: [
          { index: 1, error: "The line is not JSON" },
          { index: 3, error: "The line is not UTF-8" }
        ]
      })
    })
  )

  it.live("stores nothing if it is sent again with its Idempotency-Key", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const request = posting([nth(0), {}, nth(2)], { "Idempotency-Key": "batch-1" })
      const first = summary(yield* server.ask(many, request))
      assert.strictEqual(first.stored, 2)
      const second = summary(yield* server.ask(many, request))
      assert.deepStrictEqual([second.stored, second.duplicates, second.errors.length], [0, 2, 1])
      assert.strictEqual((yield* server.stored).length, 2)

      const ignored = yield* server.ask(many, posting([click], { "Idempotency-Key": "not visible" }))
      assert.include(ignored.headers.get("click-notice") ?? "", "Idempotency-Key ignored")
      assert.strictEqual(summary(ignored).stored, 1)
    })
  )

  it.live("does not confuse a click with a single one that was sent with the same key", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      yield* server.ask(many, posting([nth(0)], { "Idempotency-Key": "k" }))
      for (const key of ["k", "k:0", "k0"]) {
        const answer = yield* server.ask(one, posting(nth(1), { "Idempotency-Key": key }))
        assert.strictEqual(answer.headers.get("click-receipt"), "stored", key)
      }
    })
  )

  it.live("stores the user id of the caller with each click", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const key = yield* server.key("reader", "u-7")
      yield* server.ask(many, posting(clicks(2), { "X-API-Key": key }))
      assert.deepStrictEqual(
        (yield* server.stored).map(({ user_id }) => user_id),
        ["u-7", "u-7"]
      )
    })
  )

  it.live("accepts 1,000 clicks and 1 MiB, compressed or not, and rejects larger requests", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      assert.deepStrictEqual(summary(yield* server.ask(many, posting(clicks(1_000)))), stored(1_000))
      for (const request of [
        server.ask(many, posting(clicks(1_001))),
        send(server, lines(clicks(1_001)), "application/x-ndjson")
      ]) {
        const answer = yield* request
        assert.strictEqual(answer.status, 413)
        assert.deepStrictEqual(answer.json, {
          status: "error",
          error: "Too many clicks: the limit is 1000 per request"
        })
      }
      const wide = JSON.stringify([{ ...click, pad: "x".repeat(1_048_576) }])
      const packed = { "Content-Encoding": "gzip" }
      assert.strictEqual((yield* send(server, wide, "application/json")).status, 413)
      assert.strictEqual((yield* send(server, gzipSync(wide), "application/json", packed)).status, 413)
      const fits = gzipSync(lines(clicks(900)))
      assert.deepStrictEqual(summary(yield* send(server, fits, "application/x-ndjson", packed)), stored(900))
      assert.strictEqual((yield* server.stored).length, 1_900)
    })
  )

  it.live("stores at most 1,024 characters of the User-Agent with each click", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const agent = (length: number) => ({ "User-Agent": "x".repeat(length) })
      const whole = yield* server.ask(many, posting([click], agent(1_024)))
      assert.isNull(whole.headers.get("click-notice"))
      const cut = yield* server.ask(many, posting(clicks(2), agent(10_000)))
      assert.strictEqual(cut.headers.get("click-notice"), "User-Agent cut to 1024 characters")
      const lengths = (yield* server.stored).map(({ user_agent }) => user_agent?.length)
      assert.deepStrictEqual(lengths, [1_024, 1_024, 1_024])
    })
  )

  it.live("accepts clicks of up to 64 KiB, and rejects only the larger ones", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const sized = (bytes: number) => {
        const pad = bytes - JSON.stringify({ ...click, pad: "" }).length
        return JSON.stringify({ ...click, pad: "x".repeat(pad) })
      }
      const sent = [sized(65_536), sized(65_537), JSON.stringify(click)]
      const expected = {
        ...stored(2),
        errors: [{ index: 1, error: "Click too large: the limit is 65536 bytes" }]
      }
      for (const [body, type] of [
        [`[${sent.join(",")}]`, "application/json"],
        [sent.join("\n"), "application/x-ndjson"],
        [sent.join("\r\n"), "application/json"]
      ] as const) {
        assert.deepStrictEqual(summary(yield* send(server, body, type)), expected)
      }
      assert.deepStrictEqual(summary(yield* send(server, sized(65_536), "application/json")), stored(1))
      const large = yield* send(server, sized(65_537), "application/json")
      assert.deepStrictEqual(summary(large).errors, [
        { index: 0, error: "Click too large: the limit is 65536 bytes" }
      ])
    })
  )

  it.live("rejects the whole body if it is neither JSON nor NDJSON, or has another type", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const array = JSON.stringify(clicks(2))
      for (const body of ["", "  \n ", array.slice(0, -1), Buffer.from('["caf\xe9"]', "latin1")]) {
        const answer = yield* send(server, body, "application/json")
        assert.strictEqual(answer.status, 400)
        assert.strictEqual((answer.json as { status: string }).status, "error")
      }
      assert.strictEqual((yield* send(server, array, "text/csv")).status, 415)
      assert.deepStrictEqual(yield* server.stored, [])
    })
  )

  it.live("keeps the original bytes of each deeply nested click", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const deep = (n: number) =>
        `{"product_id":"p-${n}","action":"view","source":"web","visitor_city":${"[".repeat(9_100)}${"]".repeat(9_100)}}`
      const sent = Array.from({ length: 56 }, (_, n) => deep(n))
      const packed = gzipSync(`[${sent.join(",")}]`)
      const gzip = { "Content-Encoding": "gzip" }
      assert.deepStrictEqual(summary(yield* send(server, packed, "application/json", gzip)), stored(56))
      const kept = yield* server.quarantine.list(100)
      const originals = kept.map(({ original }) => new TextDecoder().decode(original)).sort()
      assert.isTrue(originals.join("\n") === sent.toSorted().join("\n"))
      // Each original is a copy: a view would keep the whole request in memory.
      for (const { original } of kept) assert.strictEqual(original.buffer.byteLength, original.length)
    })
  )

  it.live("keeps the digits of numbers that a double cannot represent, however the click is sent", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const ids = ["9007199254740993", "9007199254740992", "1e400", "1.10", "17"]
      const sent = ids.map(
        (id) => `{"product_id":"p","action":"view","source":"web","store_id":${id},"visitor_lat":33.450}`
      )
      const json = "application/json"
      for (const [index, body] of sent.entries()) {
        yield* server.ask(one, { method: "POST", headers: { "Content-Type": json }, body })
        const keyed = { "Content-Type": json, "Idempotency-Key": `k-${index}` }
        yield* server.ask(one, { method: "POST", headers: keyed, body })
      }
      yield* send(server, `[${sent.join(", ")}]`, json)
      yield* send(server, sent.join("\n"), "application/x-ndjson")
      const events = yield* server.stored
      const expected = [...ids, ...ids, ...ids, ...ids].sort()
      assert.deepStrictEqual(events.map(({ store_id }) => store_id).sort(), expected)
      assert.deepStrictEqual(new Set(events.map(({ visitor_lat }) => visitor_lat)), new Set([33.45]))
      assert.deepStrictEqual(yield* server.quarantine.list(1), [])
    })
  )

  it.live("stores a click, whatever is nested in a field that is not stored", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const deep = `${'{"a":['.repeat(5_000)}${"]}".repeat(5_000)}`
      const sent = `{"product_id":"p-1","action":"view","source":"web","extra":${deep},"store_id":"s-1"}`
      assert.deepStrictEqual(summary(yield* send(server, `[${sent}]`, "application/json")), stored(1))
      assert.strictEqual((yield* server.stored)[0]?.store_id, "s-1")
      assert.deepStrictEqual(yield* server.quarantine.list(1), [])
    })
  )
})
