import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { ClickArrivals } from "@clicks/core/clicks/ClickArrivals"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Queue, Scope } from "effect"
import * as ApiKeysSql from "../../../sql-adapter/src/access/ApiKeysSql.ts"
import * as ClickArrivalsSql from "../../../sql-adapter/src/clicks/ClickArrivalsSql.ts"
import * as ClickStoreSql from "../../../sql-adapter/src/clicks/ClickStoreSql.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { rawSocket } from "../rawSocket.ts"
import { adminKey, click, type Given, many, posting, type TestServer, testServer } from "../TestServer.ts"
import { eventStream } from "./eventStream.ts"

const adapters = Layer.mergeAll(ClickStoreSql.layer, ApiKeysSql.layer, ClickArrivalsSql.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const asAdmin = { "X-API-Key": adminKey }

const onDatabase = Effect.fnUntraced(function* (given: Given = {}) {
  return yield* testServer({
    store: Layer.succeed(ClickStore, yield* ClickStore),
    arrivals: Layer.succeed(ClickArrivals, yield* ClickArrivals),
    keys: Layer.succeed(ApiKeys, yield* ApiKeys),
    ...given
  })
})

const open = (
  server: TestServer,
  query: string,
  headers: Record<string, string> = {},
  credential: Record<string, string> = asAdmin
) => eventStream(`${server.url}${many}/stream?${query}`, { ...credential, ...headers })

const record = (server: TestServer, source: string, ...products: ReadonlyArray<string>) =>
  server.ask(many, posting(products.map((product_id) => ({ ...click, source, product_id }))))

const products = (events: ReadonlyArray<{ readonly data: { readonly product_id: string } | undefined }>) =>
  events.map(({ data }) => data?.product_id)

const named = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`)

layer(adapters, { excludeTestServices: true })("GET /api/events/product-clicks/stream", (it) => {
  it.effect("sends each new matching click once, as the listing shows it", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase()
      yield* record(server, "listed", "before")
      const { response, take } = yield* open(server, "source=listed")
      const all = yield* open(server, "")
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.headers.get("content-type"), "text/event-stream")
      assert.strictEqual(response.headers.get("cache-control"), "no-store")
      yield* record(server, "other", "p-0")
      yield* record(server, "listed", "p-1", "p-2")
      const found = yield* take(2)
      assert.sameMembers(products(found), ["p-1", "p-2"])
      assert.sameMembers(products(yield* all.take(3)), ["p-0", "p-1", "p-2"])
      const { json } = yield* server.askAdmin(`${many}?source=listed&product_id=p-1`)
      assert.deepInclude(
        found.map(({ data }) => data),
        (json as { readonly events: ReadonlyArray<never> }).events[0]
      )
    })
  )

  it.effect("continues after Last-Event-ID in another process, wherever the first stream ended", () =>
    Effect.gen(function* () {
      const wanted = named("r", 1_700)
      const got: Array<string | undefined> = []
      let last = ""
      for (const [round, count] of [1, 3, 250, 500, 946].entries()) {
        yield* Effect.gen(function* () {
          const server = yield* onDatabase()
          const stream = yield* open(server, "source=resumed", last === "" ? {} : { "Last-Event-ID": last })
          if (round === 0) {
            for (let at = 0; at < 850; at += 170)
              yield* record(server, "resumed", ...wanted.slice(at, at + 170))
          }
          if (round === 2) {
            for (let at = 850; at < 1_700; at += 170)
              yield* record(server, "resumed", ...wanted.slice(at, at + 170))
          }
          const found = yield* stream.take(count)
          got.push(...products(found))
          last = found.at(-1)?.id ?? last
        }).pipe(Effect.scoped)
      }
      assert.deepStrictEqual(got.toSorted(), wanted.toSorted())
    })
  )

  it.effect("accepts the position as a query parameter, and rejects invalid ones", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase()
      const first = yield* open(server, "source=after")
      yield* record(server, "after", "one", "two")
      const [one] = yield* first.take(1)
      const again = yield* open(server, `source=after&after=${one?.id}`)
      assert.lengthOf(yield* again.take(1), 1)
      const future = `${10n ** 15n}:${10n ** 15n}:`
      for (const wrong of ["x", "1:0:", "5:9:7,7", "1:1:_", `${one?.id}_1`, future]) {
        const { json, status } = yield* server.ask(`${many}/stream`, {
          headers: { ...asAdmin, "Last-Event-ID": wrong }
        })
        assert.strictEqual(status, 400, wrong)
        assert.match((json as { readonly error: string }).error, /^Last-Event-ID \(or after\) must be/)
      }
      assert.strictEqual((yield* server.ask(`${many}/stream?from=x`, { headers: asAdmin })).status, 400)
      assert.strictEqual((yield* server.ask(`${many}/stream`)).status, 401)
      const head = yield* server.askAdmin(`${many}/stream`, { method: "HEAD" })
      assert.deepStrictEqual([head.status, head.text], [200, ""])
    })
  )

  it.effect("rejects streams beyond three quarters of the connections", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase({ options: { maxConnections: 4 } })
      for (let count = 0; count < 3; count++) {
        assert.strictEqual((yield* open(server, "")).response.status, 200)
      }
      const { headers, json, status } = yield* server.askAdmin(`${many}/stream`)
      assert.strictEqual(status, 503)
      assert.strictEqual(headers.get("retry-after"), "10")
      assert.deepStrictEqual(json, { error: "Too many streams: the limit is 3. Try again in 10 seconds" })
    })
  )

  it.effect("ends when its key is revoked, and when the server stops", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const server = yield* Scope.provide(onDatabase(), scope)
      const reader = yield* server.key("reader")
      const ofReader = yield* open(server, "", {}, { "X-API-Key": reader })
      const ofAdmin = yield* open(server, "")
      const [revoked] = (yield* server.keys.list).filter(({ user_id }) => user_id === "u-5")
      yield* server.keys.revoke(revoked?.id ?? "")
      while ((yield* Queue.take(ofReader.events)) !== "end") {}
      yield* record(server, "ending", "p-1")
      yield* ofAdmin.take(1)
      yield* Scope.close(scope, Exit.void)
      let last = yield* Queue.take(ofAdmin.events)
      while (last !== "end" && !(last instanceof Error)) last = yield* Queue.take(ofAdmin.events)
      assert.strictEqual(last, "end")
    })
  )

  it.effect("closes a stream when its user logs out", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase()
      const session = "/api/session"
      const page = { "X-Clicks-Page": "1" }
      const post = posting({ key: adminKey })
      const login = yield* server.ask(session, { ...post, headers: { ...post.headers, ...page } })
      const cookie = login.headers.get("set-cookie")?.split(";", 1)[0] ?? ""
      const { events, response } = yield* open(server, "", {}, { cookie })
      assert.strictEqual(response.status, 200)
      yield* server.ask(session, { method: "DELETE", headers: { cookie, ...page } })
      const end = Effect.gen(function* () {
        while ((yield* Queue.take(events)) !== "end") {}
      })
      // The check every 15 seconds would notice it anyway.
      yield* Effect.timeout(end, "10 seconds")
    })
  )

  it.effect("continues for the others if one client never reads", () =>
    Effect.gen(function* () {
      const server = yield* onDatabase()
      const stuck = yield* rawSocket(server.port)
      stuck.write(`GET ${many}/stream HTTP/1.1\r\nHost: t\r\nX-API-Key: ${adminKey}\r\n\r\n`)
      yield* stuck.receive(/retry: 2000/)
      stuck.socket.pause()
      const { take } = yield* open(server, "source=large")
      const large = { ...click, source: "large", url_path: "x".repeat(60_000) }
      const got = new Set<string | undefined>()
      for (let batch = 0; batch < 7; batch++) {
        yield* server.ask(many, posting(Array.from({ length: 16 }, () => large)))
        for (const { data } of yield* take(16)) got.add(data?.id)
      }
      assert.strictEqual(got.size, 112)
      stuck.socket.resume()
      stuck.leave()
    })
  )
})
