import { type ClickEvent, fieldNames } from "@clicks/core/clicks/ClickEvent"
import { ClickStore, ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Stream } from "effect"
import { plainClick } from "../../../core/test/contract/clicks/plainClick.ts"
import { rawSocket } from "../rawSocket.ts"
import { adminKey, click, many, posting, testServer } from "../TestServer.ts"

const path = "/api/events/product-clicks/export"

const event = plainClick()

const unavailable = new ClickStoreError({ operation: "stream", reason: "Unavailable", cause: "hunter2" })

const storeOf = (stream: Stream.Stream<ClickEvent, ClickStoreError>) =>
  Layer.mock(ClickStore, { stream: () => stream })

const request = `GET ${path} HTTP/1.1\r\nHost: t\r\nX-API-Key: ${adminKey}\r\n\r\n`

const clicks = [
  { ...click, product_id: "p-1", occurred_at: "2026-11-01" },
  { ...click, product_id: 'p "2", a', store_id: "=1+1", occurred_at: "2026-11-02" },
  { ...click, product_id: "p-3", source: "app", visitor_lat: -1.5, occurred_at: "2026-11-03" }
]

describe("GET /api/events/product-clicks/export", () => {
  it.live("returns every click as a line of JSON, as in a listing", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      yield* server.ask(many, posting(clicks))
      const listing = yield* server.askAdmin(many)
      for (const query of ["", "?format=ndjson", "?format=", "?limit=1&offset=2"]) {
        const { headers, status, text } = yield* server.askAdmin(path + query)
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("content-type"), "application/x-ndjson")
        assert.strictEqual(
          headers.get("content-disposition"),
          'attachment; filename="product-click-events.ndjson"'
        )
        assert.match(text, /\n$/)
        const events = text
          .trimEnd()
          .split("\n")
          .map((line: string) => JSON.parse(line))
        assert.deepStrictEqual(events, (listing.json as { events: Array<object> }).events)
      }
    })
  )

  it.live("returns CSV with a header row", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      yield* server.ask(many, posting(clicks))
      const { headers, text } = yield* server.askAdmin(`${path}?format=csv`)
      assert.strictEqual(headers.get("content-type"), "text/csv; charset=utf-8")
      assert.strictEqual(
        headers.get("content-disposition"),
        'attachment; filename="product-click-events.csv"'
      )
      const [header, third, second, first, end] = text.split("\r\n")
      assert.strictEqual(header, fieldNames.join(","))
      assert.match(third ?? "", /,p-3,view,app,,.*,-1\.5,/)
      assert.include(second ?? "", `,"p ""2"", a",view,web,'=1+1,`)
      assert.match(first ?? "", /,p-1,.*,2026-11-01T00:00:00\.000Z,/)
      assert.strictEqual(end, "")
      const none = yield* server.askAdmin(`${path}?format=csv&action=other`)
      assert.strictEqual(none.text, `${fieldNames.join(",")}\r\n`)
    })
  )

  it.live("accepts the filters of the listing and rejects invalid parameters", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      yield* server.ask(many, posting(clicks))
      const { text } = yield* server.askAdmin(`${path}?source=app`)
      assert.strictEqual(text.trimEnd().split("\n").length, 1)
      assert.strictEqual((yield* server.askAdmin(`${path}?source=none`)).text, "")
      for (const [query, error] of [
        ["format=xml", /^format /],
        ["format=constructor", /^format /],
        ["format=csv&format=csv", /^format must be given only once/],
        ["from=soon", /^from /]
      ] as const) {
        const answer = yield* server.askAdmin(`${path}?${query}`)
        assert.strictEqual(answer.status, 400)
        assert.match((answer.json as { error: string }).error, error)
      }
      assert.strictEqual((yield* server.ask(path)).status, 401)
    })
  )

  it.live("returns 500 when the store fails before the first click", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ store: storeOf(Stream.fail(unavailable)) })
      const answer = yield* server.askAdmin(path)
      assert.strictEqual(answer.status, 500)
      assert.deepStrictEqual(answer.json, { error: "Failed to export product click events" })
      assert.strictEqual(server.log.length, 1)
    })
  )

  it.live("closes the connection when the store fails midway, and logs it once", () =>
    Effect.gen(function* () {
      const seen = yield* Deferred.make<void>()
      const failing = Stream.fromIterable(Array.from({ length: 1_000 }, () => event)).pipe(
        Stream.concat(Stream.fromEffect(Effect.andThen(Deferred.await(seen), unavailable)))
      )
      const server = yield* testServer({ store: storeOf(failing) })
      const socket = yield* rawSocket(server.port)
      socket.write(request)
      yield* socket.receive(new RegExp(event.id))
      yield* Deferred.succeed(seen, undefined)
      const answer = yield* socket.closed
      assert.match(answer, /^HTTP\/1.1 200 OK/)
      // A complete chunked response ends with a chunk of length 0.
      assert.notMatch(answer, /\r\n0\r\n\r\n$/)
      assert.strictEqual(server.log.filter((line) => line.includes("Failed to export")).length, 1)
    })
  )

  it.live("reads no more from the store than the client reads, and stops when the client disconnects", () =>
    Effect.gen(function* () {
      let asked = 0
      const released = yield* Deferred.make<void>()
      const endless = Stream.fromEffectRepeat(
        Effect.sync(() => {
          asked++
          return { ...event, url_path: "x".repeat(10_000) }
        })
      ).pipe(Stream.ensuring(Deferred.succeed(released, undefined)))
      const server = yield* testServer({ store: storeOf(endless) })
      const socket = yield* rawSocket(server.port)
      socket.write(request)
      yield* socket.receive(/HTTP\/1.1 200 OK/)
      socket.socket.pause()
      let before = -1
      while (before !== asked) {
        before = asked
        yield* Effect.sleep("200 millis")
      }
      // What fits into the buffers of both sockets: some megabytes, at ten kilobytes each.
      assert.isBelow(asked, 3_000)
      assert.isFalse(yield* Deferred.isDone(released))
      socket.leave(true)
      yield* Deferred.await(released)
    })
  )

  it.live("does not read ahead of a slow client", () =>
    Effect.gen(function* () {
      const count = 100_000
      const wide = { ...event, url_path: "x".repeat(1_000) }
      let asked = 0
      const server = yield* testServer({
        store: storeOf(
          Stream.range(1, count).pipe(
            Stream.map(() => {
              asked++
              return wide
            }),
            Stream.rechunk(1_000)
          )
        )
      })
      let lines = 0
      let ahead = 0
      yield* Effect.promise(async () => {
        const response = await fetch(server.url + path, { headers: { "X-API-Key": adminKey } })
        for await (const chunk of response.body ?? []) {
          lines += Buffer.from(chunk).toString("latin1").split("\n").length - 1
          ahead = Math.max(ahead, asked - lines)
        }
      })
      assert.strictEqual(lines, count)
      // What fits into the buffers of both sockets: some megabytes, with a thousand clicks each.
      assert.isBelow(ahead, 30_000)
    })
  )
})
