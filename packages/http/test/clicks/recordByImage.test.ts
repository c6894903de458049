import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rawSocket } from "../rawSocket.ts"
import { click, one, posting, type TestServer, testServer } from "../TestServer.ts"

const path = "/api/events/product-click.gif"
const asQuery = (fields: Readonly<Record<string, string>>) => `?${new URLSearchParams(fields)}`

const show = (server: TestServer, query: string, headers: Record<string, string> = {}) =>
  server.ask(path + query, { headers })

const bytesOf = (url: string) =>
  Effect.promise(async () => Buffer.from(await (await fetch(url)).arrayBuffer()))

describe("GET /api/events/product-click.gif", () => {
  it.live("records the fields of its query as the other endpoints do", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const fields = {
        ...click,
        store_id: "Zoë & co",
        visitor_lat: "33.45",
        visitor_id: " v-1 ",
        campaign_id: "",
        occurred_at: "2026-11-20T10:00:00Z"
      }
      const reader = yield* server.key("reader", "u-7")
      const agent = { "User-Agent": "Mail (iPhone)", "X-API-Key": reader, Origin: "https://mail.example" }
      const answer = yield* show(server, asQuery(fields), agent)
      assert.strictEqual(answer.status, 200)
      assert.strictEqual(answer.headers.get("click-receipt"), "stored")
      assert.strictEqual(answer.headers.get("cache-control"), "no-store")
      assert.strictEqual(answer.headers.get("access-control-allow-origin"), "https://mail.example")
      assert.isNull(answer.headers.get("click-notice"))
      yield* server.ask(one, posting({ ...fields, visitor_lat: 33.45, campaign_id: null }, agent))
      const [first, second] = yield* server.stored
      assert.deepInclude(first, {
        store_id: "Zoë & co",
        visitor_lat: 33.45,
        visitor_id: "v-1",
        user_id: "u-7"
      })
      assert.deepStrictEqual({ ...first, id: 0, received_at: 0 }, { ...second, id: 0, received_at: 0 })
      assert.include(
        (yield* server.stored).map(({ id }) => id),
        answer.headers.get("click-id")
      )
    })
  )

  it.live("accepts question marks within the query", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const answer = yield* show(server, "?product_id=p-q&action=view&url_path=/a?b=1?&source=mail&key=k?1")
      assert.strictEqual(answer.headers.get("click-receipt"), "stored")
      const [event] = yield* server.stored
      assert.deepInclude(event, { product_id: "p-q", url_path: "/a?b=1?", source: "mail" })
    })
  )

  it.live("returns a transparent image of one pixel in 43 bytes, even if the click is rejected", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const query of [asQuery(click), ""]) {
        const bytes = yield* bytesOf(server.url + path + query)
        assert.lengthOf(bytes, 43)
        assert.strictEqual(bytes.toString("latin1", 0, 6), "GIF89a")
        assert.deepStrictEqual([bytes.readUInt16LE(6), bytes.readUInt16LE(8)], [1, 1])
        // The graphic control extension: its first colour is transparent.
        assert.strictEqual(bytes.toString("hex", 19, 27), "21f9040100000000")
        assert.strictEqual(bytes.toString("latin1", 42), ";")
      }
      const action = "action is required and must be one of: view, open_store, open_product, compare, other"
      for (const [query, error] of [
        ["", "product_id is required and must be a non-empty string"],
        ["?product_id=a&product_id=b", "product_id is required and must be a non-empty string"],
        ["?product_id=p&action=buy&source=web", action]
      ] as const) {
        const { headers, status } = yield* show(server, query)
        assert.deepStrictEqual([status, headers.get("content-type")], [400, "image/gif"])
        assert.strictEqual(headers.get("click-notice"), error)
        assert.strictEqual(headers.get("cache-control"), "no-store")
      }
      assert.lengthOf(yield* server.stored, 1)
    })
  )

  it.live("stores a click once for its ?key=, even if another endpoint received it", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const receipt = (query: string, headers: Record<string, string> = {}) =>
        Effect.map(show(server, query, headers), (answer) => answer.headers.get("click-receipt"))
      const keyed = asQuery({ ...click, key: "mail-17" })
      assert.strictEqual(yield* receipt(keyed), "stored")
      assert.strictEqual(yield* receipt(keyed), "duplicate")
      assert.strictEqual(yield* receipt(asQuery(click), { "Idempotency-Key": "mail-17" }), "duplicate")
      const posted = yield* server.ask(`${one}?key=mail-17`, posting(click))
      assert.strictEqual(posted.headers.get("click-receipt"), "duplicate")
      const conflict = yield* show(server, keyed, { "Idempotency-Key": "other" })
      assert.strictEqual(conflict.status, 400)
      assert.match(conflict.headers.get("click-notice") ?? "", /Idempotency-Key and key differ/)
    })
  )

  it.live("names ignored fields, and keeps a query with a value that cannot be stored", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const query = `${asQuery(click).slice(1)}&visitor_lat=north&store_id=a&store_id=b&__proto__=x`
      const answer = yield* show(server, `?${query}`)
      assert.strictEqual(
        answer.headers.get("click-notice"),
        "Ignored fields: __proto__; Not stored as sent: store_id is not a text, visitor_lat is not a number"
      )
      assert.strictEqual(answer.headers.get("click-receipt"), "stored")
      const [entry] = yield* server.quarantine.list(2)
      assert.strictEqual(new TextDecoder().decode(entry?.original), query)
    })
  )

  it.live("records nothing for HEAD, and rejects other methods", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const socket = yield* rawSocket(server.port)
      socket.write(`HEAD ${path}${asQuery(click)} HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n`)
      const head = yield* socket.closed
      assert.match(head, /^HTTP\/1\.1 200 OK\r\n/)
      assert.match(head, /\r\ncontent-length: 43\r\n/i)
      assert.match(head, /\r\n\r\n$/)
      const posted = yield* server.ask(path, posting(click))
      assert.deepStrictEqual([posted.status, posted.headers.get("allow")], [405, "GET, HEAD, OPTIONS"])
      assert.deepStrictEqual(yield* server.stored, [])
    })
  )
})
