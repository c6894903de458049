import * as ProductAggregate from "@clicks/core/stores/ProductAggregate"
import * as ProductQuery from "@clicks/core/stores/ProductQuery"
import { StorePayloads } from "@clicks/core/stores/StorePayloads"
import { Stores } from "@clicks/core/stores/Stores"
import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { enqueueDiscovery } from "@clicks/core/tasks/enqueueDiscovery"
import { enqueueStaggered } from "@clicks/core/tasks/enqueueStaggered"
import { isFinished, type Task } from "@clicks/core/tasks/Task"
import * as TaskKinds from "@clicks/core/tasks/TaskKinds"
import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Result } from "effect"
import * as Database from "../../../sql-adapter/src/Database.ts"
import * as StorePayloadsSql from "../../../sql-adapter/src/stores/StorePayloadsSql.ts"
import * as StoresSql from "../../../sql-adapter/src/stores/StoresSql.ts"
import * as CrawlSchedulesSql from "../../../sql-adapter/src/tasks/CrawlSchedulesSql.ts"
import * as TaskLeasesSql from "../../../sql-adapter/src/tasks/TaskLeasesSql.ts"
import * as TaskQueueSql from "../../../sql-adapter/src/tasks/TaskQueueSql.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import * as WebSources from "../../src/stores/WebSources.ts"
import * as CrawlScheduler from "../../src/tasks/CrawlScheduler.ts"
import { storeHandlers } from "../../src/tasks/storeHandlers.ts"
import * as TaskWorker from "../../src/tasks/TaskWorker.ts"
import * as TestMarket from "./TestMarket.ts"
import * as TestWeb from "./TestWeb.ts"

const ports = Layer.mergeAll(
  StoresSql.layer,
  StorePayloadsSql.layer,
  CrawlSchedulesSql.layer,
  TaskQueueSql.layer
)
const service = Layer.merge(ports.pipe(Layer.provideMerge(TestDatabase.layer)), TaskKinds.layer)

/** A worker with a scheduler and its own connections. It stops with the test. */
const startWorker = Effect.fnUntraced(function* (directoryUrl: string, allowPrivate: boolean) {
  const { url } = yield* TestDatabase.TestDatabase
  const web = WebSources.layer({
    directoryUrl: Option.some(directoryUrl),
    allowPrivate,
    interval: 0
  })
  const worker = Layer.mergeAll(
    TaskWorker.layer(storeHandlers, { drainFor: "1 second" }).pipe(Layer.provide([TaskLeasesSql.layer, web])),
    CrawlScheduler.layer("50 millis")
  ).pipe(Layer.provide(ports), Layer.provide(Database.layer({ url })))
  yield* Layer.build(Layer.fresh(worker))
})

/** Waits until there are this many tasks of a kind and all have finished, and returns them. */
const finished = (kind: string, count: number) =>
  TaskQueue.use((queue) => queue.list({ kind, limit: 1000, offset: 0 })).pipe(
    Effect.map(({ tasks }) => tasks),
    Effect.delay("20 millis"),
    Effect.repeat({
      until: (tasks) => tasks.length >= count && tasks.every(({ state }) => isFinished(state))
    })
  )

const errorsOf = (tasks: ReadonlyArray<Task>) =>
  Object.fromEntries(
    tasks.map(({ error, payload, state }) => [Object.values(Object(payload)).join(), `${state}: ${error}`])
  )

layer(service, { excludeTestServices: true })("stores, end to end", (it) => {
  it.effect("are discovered, scheduled, crawled by two workers, and queried", () =>
    Effect.gen(function* () {
      const market = yield* TestMarket.start(["AZ", "CA", "NV"], 5)
      yield* Effect.all([startWorker(market.directoryUrl, true), startWorker(market.directoryUrl, true)])

      yield* enqueueDiscovery({ states: ["AZ", "CA", "NV"] })
      const discoveries = yield* finished("store-discovery", 3)
      assert.deepStrictEqual(new Set(discoveries.map(({ state }) => state)), new Set(["succeeded"]))
      const { stores } = yield* Stores.use((known) => known.list({ limit: 100, offset: 0 }))
      assert.deepStrictEqual(
        stores.map(({ id }) => id),
        market.shops.map(({ id }) => id)
      )

      for (const { id } of stores) {
        yield* CrawlSchedules.use((schedules) => schedules.put(id, { interval_minutes: 60 }))
      }
      const crawls = yield* finished("store-crawl", market.shops.length)
      assert.lengthOf(crawls, market.shops.length)
      assert.deepStrictEqual(new Set(crawls.map(({ state }) => state)), new Set(["succeeded"]))
      const fetched = market.web.requests.filter((path) => path.startsWith("/shops/"))
      assert.deepStrictEqual(fetched.toSorted(), market.shops.map(({ path }) => path).toSorted())

      const payloads = yield* StorePayloads
      for (const { id, menu } of market.shops) {
        const query = Result.getOrThrow(ProductQuery.parse({ search: "LEAF", thc_max: "20", sort: "price" }))
        const page = yield* payloads.query(id, query)
        const wanted = menu.filter(({ brand, thc }) => brand === "Green Leaf" && thc <= 20)
        assert.deepStrictEqual(
          page.products.map(({ price }) => price),
          wanted.map(({ price }) => price).sort((a, b) => a - b)
        )
        const grouping = Result.getOrThrow(ProductAggregate.parse({ group_by: "brand" }))
        const { groups, total } = yield* payloads.aggregate(id, grouping)
        assert.strictEqual(total, menu.length)
        for (const { count, in_stock, key } of groups) {
          const members = menu.filter(({ brand }) => brand === key)
          const inStock = members.filter((member) => member.in_stock)
          assert.deepStrictEqual([count, in_stock], [members.length, inStock.length])
        }
      }
    })
  )
})

layer(service, { excludeTestServices: true })("bad input, end to end", (it) => {
  it.effect("fails tasks with clear errors, and keeps the menus and the worker", () =>
    Effect.gen(function* () {
      const market = yield* TestMarket.start(["AZ", "CA", "NV"], 1)
      const inside = yield* TestWeb.start
      market.web.page("/directory/CA.json", TestWeb.status(200, { "content-type": "text/html" }, "<html>"))
      market.web.page("/directory/NV.json", TestWeb.redirect(`${inside.origin}/stores?key=secret`))
      yield* startWorker(market.directoryUrl, false)

      yield* enqueueDiscovery({ states: ["CA", "NV"] })
      assert.deepStrictEqual(errorsOf(yield* finished("store-discovery", 2)), {
        CA: `failed: The store directory: ${market.web.origin}/directory/CA.json returned HTML instead of JSON`,
        NV: `failed: The store directory: ${market.web.origin}/directory/NV.json redirects: ${inside.origin}/stores?… is not on the public internet (loopback); set CLICKS_CRAWL_ALLOW_PRIVATE=true to allow it`
      })

      yield* enqueueDiscovery({ states: ["AZ"] })
      yield* finished("store-discovery", 3)
      const payloads = yield* StorePayloads
      const product = {
        name: null,
        brand: null,
        category: null,
        price: 1,
        thc: 1,
        in_stock: true,
        url: null
      }
      const products = [{ product_id: "last-good", ...product }]
      yield* payloads.replace({ store_id: "az-0", fetched_at: new Date(), products })
      yield* Stores.use((stores) =>
        stores.save([
          {
            id: "named",
            name: null,
            state: null,
            menu_url: `http://u:secret@localhost:${inside.port}/menu`
          },
          { id: "bare", name: null, state: null, menu_url: null }
        ])
      )
      const crawl = (store_id: string) => ({ kind: "store-crawl", payload: { store_id } })
      yield* enqueueStaggered({ tasks: ["az-0", "named", "bare", "deleted"].map(crawl), delay_seconds: 0 })
      const menuUrl = market.web.origin + (market.shops[0]?.path ?? "")
      const refused =
        "is not on the public internet (loopback); set CLICKS_CRAWL_ALLOW_PRIVATE=true to allow it"
      assert.deepStrictEqual(errorsOf(yield* finished("store-crawl", 4)), {
        "az-0": `failed: The menu of store az-0: ${menuUrl} ${refused}`,
        named: `failed: The menu of store named: http://localhost:${inside.port}/menu ${refused}`,
        bare: "failed: Store bare has no menu_url",
        deleted: "failed: There is no store deleted"
      })
      assert.deepStrictEqual(inside.requests, [])
      const all = Result.getOrThrow(ProductQuery.parse({}))
      assert.deepStrictEqual((yield* payloads.query("az-0", all)).products, products)

      yield* enqueueDiscovery({ states: ["AZ"] })
      const [last] = yield* finished("store-discovery", 4)
      assert.deepInclude(last, { state: "succeeded", error: null })
    })
  )
})
