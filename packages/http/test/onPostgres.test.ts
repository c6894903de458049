import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { fieldNames } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as ClickRecorder from "@clicks/core/clicks/recording/ClickRecorder"
import * as QuarantineMemory from "@clicks/core/clicks/recording/QuarantineMemory"
import { assert, layer } from "@effect/vitest"
import { type Duration, Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as ApiKeysSql from "../../sql-adapter/src/access/ApiKeysSql.ts"
import * as ClickStoreSql from "../../sql-adapter/src/clicks/ClickStoreSql.ts"
import * as Database from "../../sql-adapter/src/Database.ts"
import * as DatabaseProxy from "../../sql-adapter/test/DatabaseProxy.ts"
import * as TestDatabase from "../../sql-adapter/test/TestDatabase.ts"
import { rawSocket } from "./rawSocket.ts"
import { adminKey, click, type Given, many, one, posting, type TestServer, testServer } from "./TestServer.ts"

const proxied = Layer.unwrap(DatabaseProxy.DatabaseProxy.useSync(({ url }) => Database.layer({ url })))

const adapters = Layer.merge(ClickStoreSql.layer, ApiKeysSql.layer).pipe(
  Layer.provide(Layer.fresh(proxied)),
  Layer.provideMerge(DatabaseProxy.layer),
  Layer.provideMerge(TestDatabase.layer)
)

/** A server on the test's database. A click waits at most `within` for the database. */
const onDatabase = Effect.fnUntraced(function* (within: Duration.Input, options: Given["options"] = {}) {
  const store = Layer.succeed(ClickStore, yield* ClickStore)
  const recorder = ClickRecorder.layerWith({ within }).pipe(Layer.provide([store, QuarantineMemory.layer]))
  return yield* testServer({ options, store, recorder, keys: Layer.succeed(ApiKeys, yield* ApiKeys) })
})

interface Event {
  readonly product_id: string
  readonly user_id: string | null
  readonly url_path: string | null
}
interface Page {
  readonly events: ReadonlyArray<Event>
  readonly limit: number
  readonly offset: number
  readonly total: number
  readonly next_cursor: string | null
}

/** Reads the first bytes of an export of large clicks and then stops reading. */
const unreadExport = Effect.fnUntraced(function* (server: TestServer) {
  const socket = yield* rawSocket(server.port)
  socket.write(`GET ${many}/export?source=unread HTTP/1.1\r\nHost: t\r\nX-API-Key: ${adminKey}\r\n\r\n`)
  yield* socket.receive(/HTTP\/1.1 200 OK/)
  socket.socket.pause()
  return socket
})

const fillUnread = Effect.fnUntraced(function* (server: TestServer) {
  const large = { ...click, source: "unread", url_path: "x".repeat(60_000) }
  for (let batch = 0; batch < 20; batch++) {
    yield* server.ask(many, posting(Array.from({ length: 16 }, () => large)))
  }
})

layer(adapters, { excludeTestServices: true })("the API on PostgreSQL", (it) => {
  it.effect("records, lists, pages and exports", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase("1 minute")
      const key = yield* server.key("reader", "u-1")
      const clicks = Array.from({ length: 25 }, (_, n) => ({
        ...click,
        product_id: `p-${n}`,
        source: "pages"
      }))
      const batch = posting(clicks, { "Idempotency-Key": "b-1", "X-API-Key": key })
      assert.propertyVal((yield* server.ask(many, batch)).json, "stored", 25)
      assert.propertyVal((yield* server.ask(many, batch)).json, "duplicates", 25)

      const seen: Array<string> = []
      let cursor: string | null = ""
      while (cursor !== null) {
        const { json } = yield* server.ask(`${many}?source=pages&limit=10&cursor=${cursor}`, {
          headers: { "X-API-Key": key }
        })
        const page = json as Page
        assert.strictEqual(page.total, 25)
        assert.isTrue(page.events.every(({ user_id }) => user_id === "u-1"))
        seen.push(...page.events.map(({ product_id }) => product_id))
        cursor = page.next_cursor
      }
      assert.sameMembers(
        seen,
        clicks.map(({ product_id }) => product_id)
      )
      const { text } = yield* server.askAdmin(`${many}/export?source=pages`)
      assert.strictEqual(text.trimEnd().split("\n").length, 25)
    })
  )

  it.effect("finds nothing if a filter contains characters that cannot be stored", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase("1 minute")
      for (const query of ["product_id=%00", "product_id=a%00b&action=view", "product_id=%ff"]) {
        const { json, status } = yield* server.askAdmin(`${many}?${query}`)
        assert.strictEqual(status, 200, query)
        assert.propertyVal(json, "total", 0)
      }
    })
  )

  it.effect("releases the database connection of an export when its client disconnects", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase("1 minute")
      const sql = yield* SqlClient.SqlClient
      const wide = { ...click, source: "wide", url_path: "x".repeat(900) }
      for (let batch = 0; batch < 12; batch++) {
        yield* server.ask(many, posting(Array.from({ length: 1_000 }, () => wide)))
      }
      const busy = Effect.map(
        sql<{ readonly count: number }>`select count(*)::int as count from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
        ([row]) => row?.count
      )
      const socket = yield* rawSocket(server.port)
      socket.write(`GET ${many}/export?source=wide HTTP/1.1\r\nHost: t\r\nX-API-Key: ${adminKey}\r\n\r\n`)
      yield* socket.receive(/HTTP\/1.1 200 OK/)
      socket.socket.pause()
      const schedule = Schedule.spaced("20 millis")
      yield* Effect.repeat(busy, { schedule, until: (count) => count === 1 })
      socket.leave(true)
      yield* Effect.repeat(busy, { schedule, until: (count) => count === 0 })
    })
  )

  it.effect("returns 503 to a fourth export while three clients do not read theirs", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase("1 minute")
      yield* fillUnread(server)
      const sockets = yield* Effect.forEach([1, 2, 3], () => unreadExport(server))
      const { headers, json, status } = yield* server.askAdmin(`${many}/export?source=unread`)
      assert.strictEqual(status, 503)
      assert.strictEqual(headers.get("retry-after"), "10")
      assert.deepStrictEqual(json, {
        error: "Too many exports or large listings are in progress. Try again in 10 seconds"
      })
      assert.strictEqual((yield* server.askAdmin(`${many}?limit=1`)).status, 200)
      sockets[0]?.leave(true)
      assert.strictEqual((yield* server.askAdmin(`${many}/export?source=none`)).status, 200)
    })
  )

  it.effect("disconnects clients that do not read their exports, logs it, and serves the next", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase("1 minute", { slowAtMost: "500 millis" })
      yield* fillUnread(server)
      const sockets = yield* Effect.forEach([1, 2, 3], () => unreadExport(server))
      assert.strictEqual((yield* server.askAdmin(`${many}/export?source=none`)).status, 200)
      const isSlow = (line: string) => line.includes("slower than 8 KiB/s")
      assert.strictEqual(server.log.filter(isSlow).length, 1)
      for (const { leave } of sockets) leave(true)
    })
  )

  it.effect("lists a page of large clicks exactly, although it is sent in pieces", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase("1 minute")
      const sent = Array.from({ length: 40 }, (_, n) => ({
        ...click,
        source: "pieces",
        url_path: `${n}é"\n`.repeat(n % 3 === 0 ? 7_000 : 1),
        occurred_at: new Date(Date.UTC(2026, 10, 1, 0, 0, 0, 999 - n)).toISOString()
      }))
      for (const each of sent) yield* server.ask(one, posting(each))
      const { headers, json, status } = yield* server.askAdmin(`${many}?source=pieces&limit=36&offset=2`)
      const page = json as Page
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "application/json")
      assert.deepStrictEqual(Object.keys(page), ["events", "total", "limit", "offset", "next_cursor"])
      assert.include(page, { total: 40, limit: 36, offset: 2 })
      const shown = fieldNames.filter((name) => name !== "client_occurred_at")
      assert.deepStrictEqual(Object.keys(page.events[0] ?? {}), shown)
      assert.deepStrictEqual(
        page.events.map(({ url_path }) => url_path),
        sent.slice(2, 38).map(({ url_path }) => url_path)
      )
      const rest = yield* server.askAdmin(`${many}?source=pieces&cursor=${page.next_cursor}`)
      assert.lengthOf((rest.json as Page).events, 2)
    })
  )

  it.effect("accepts clicks and returns errors to readers while the database is down", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase("300 millis")
      const { start, stop } = yield* DatabaseProxy.DatabaseProxy
      const key = yield* server.key("reader")
      yield* stop
      const sent = yield* server.ask(one, posting(click, { "X-API-Key": key }))
      assert.strictEqual(sent.text, '{"status":"ok"}')
      assert.strictEqual(sent.headers.get("click-receipt"), "dropped")
      const fixed = yield* server.askAdmin(many)
      assert.deepStrictEqual(
        [fixed.status, fixed.json],
        [500, { error: "Failed to fetch product click events" }]
      )
      // The key cannot be looked up, so reading fails closed.
      assert.strictEqual((yield* server.ask(many, { headers: { "X-API-Key": key } })).status, 503)
      assert.strictEqual((yield* server.askAdmin(`${many}/export`)).status, 500)
      yield* start
      const again = server
        .ask(one, posting(click))
        .pipe(Effect.repeat({ until: ({ headers }) => headers.get("click-receipt") === "stored" }))
      assert.strictEqual((yield* again).status, 200)
    })
  )
})
