import * as ProductAggregate from "@clicks/core/stores/ProductAggregate"
import * as ProductQuery from "@clicks/core/stores/ProductQuery"
import { StorePayloads } from "@clicks/core/stores/StorePayloads"
import { Stores } from "@clicks/core/stores/Stores"
import type { TaskHandler } from "@clicks/core/tasks/TaskKind"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Result } from "effect"
import * as StorePayloadsSql from "../../../sql-adapter/src/stores/StorePayloadsSql.ts"
import * as StoresSql from "../../../sql-adapter/src/stores/StoresSql.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import * as WebSources from "../../src/stores/WebSources.ts"
import { crawl, discovery } from "../../src/tasks/storeHandlers.ts"
import * as TestMarket from "../stores/TestMarket.ts"
import * as TestWeb from "../stores/TestWeb.ts"

const database = Layer.merge(StoresSql.layer, StorePayloadsSql.layer).pipe(Layer.provide(TestDatabase.layer))

const sources = (directoryUrl: Option.Option<string>, allowPrivate = true) =>
  WebSources.layer({ directoryUrl, allowPrivate, interval: 0 })

const about = { id: "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a", attempt: 1, maxAttempts: 5 }
const run = <R>(handler: TaskHandler<R>, payload: Readonly<Record<string, string>>) =>
  handler.run(payload, about)

const save = (id: string, menu_url: string | null) =>
  Stores.use((stores) => stores.save([{ id, name: null, state: null, menu_url }]))

const query = (store_id: string, parameters: Readonly<Record<string, string>>) =>
  Effect.fromResult(ProductQuery.parse(parameters)).pipe(
    Effect.flatMap((wanted) => StorePayloads.use((payloads) => payloads.query(store_id, wanted)))
  )

layer(database, { excludeTestServices: true })("the handlers of store-discovery and store-crawl", (it) => {
  it.effect("fetch the directory of three states and the menus of their shops", () =>
    Effect.gen(function* () {
      const market = yield* TestMarket.start(["AZ", "CA", "DC"], 4)
      const handlers = sources(Option.some(market.directoryUrl))
      for (const state of ["AZ", "CA", "DC"]) yield* run(discovery, { state }).pipe(Effect.provide(handlers))
      const { stores, total } = yield* Stores.use((known) => known.list({ limit: 100, offset: 0 }))
      assert.deepStrictEqual(
        stores.map(({ id, menu_url, state }) => ({ id, state, menu_url })),
        market.shops.map(({ id, path, state }) => ({ id, state, menu_url: market.web.origin + path }))
      )
      assert.strictEqual(total, 12)

      yield* Effect.forEach(
        market.shops,
        ({ id }) => run(crawl, { store_id: id }).pipe(Effect.provide(handlers)),
        { concurrency: 5 }
      )
      for (const { id, menu } of market.shops) {
        const wanted = menu.filter((each) => each.in_stock && each.price >= 10 && each.brand === "Green Leaf")
        const page = yield* query(id, { in_stock: "true", price_min: "10", brand: "Green Leaf", sort: "thc" })
        assert.strictEqual(page.total, wanted.length)
        assert.deepStrictEqual(
          page.products.map((each) => each.thc),
          wanted.map((each) => each.thc).sort((a, b) => a - b)
        )
        assert.propertyVal(page.products[0], "strain", "Hybrid")
        const grouping = Result.getOrThrow(ProductAggregate.parse({ group_by: "category" }))
        const { groups } = yield* StorePayloads.use((payloads) => payloads.aggregate(id, grouping))
        const flower = menu.filter((each) => each.category === "Flower")
        assert.deepInclude(
          groups.find((group) => group.key === "Flower"),
          { count: flower.length, price_max: Math.max(...flower.map((each) => each.price)) }
        )
      }
    })
  )

  it.effect("report each failure clearly and whether to retry, and keep the last valid menu", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      const url = web.page("/menu", TestWeb.json([{ product_id: "good" }, "bad", { product_id: "also" }]))
      yield* save("shop", url)
      const crawling = run(crawl, { store_id: "shop" }).pipe(Effect.provide(sources(Option.none())))
      yield* crawling
      const good = yield* query("shop", {})
      assert.deepStrictEqual(
        good.products.map((each) => each.product_id),
        ["good", "also"]
      )
      const pages: ReadonlyArray<readonly [TestWeb.Page, string, boolean]> = [
        [TestWeb.json({ products: [] }), "The menu of store shop is not an array of products", false],
        [
          TestWeb.json([{}]),
          "The menu of store shop contains no valid product; entry 0: product_id is required and must be a non-empty string",
          false
        ],
        [
          TestWeb.status(200, { "content-type": "text/html" }, "<html>"),
          `The menu of store shop: ${url} returned HTML instead of JSON`,
          false
        ],
        [TestWeb.status(404), `The menu of store shop: ${url} returned status 404`, false],
        [TestWeb.status(500), `The menu of store shop: ${url} returned status 500`, true]
      ]
      for (const [page, message, retryable] of pages) {
        web.page("/menu", page)
        const failure = yield* Effect.flip(crawling)
        assert.deepStrictEqual([failure.message, failure.retryable], [message, retryable])
        assert.deepStrictEqual(yield* query("shop", {}), good)
      }
    })
  )

  it.effect("do not fetch a menu in a private network, even after a redirect", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      const url = web.page("/menu", TestWeb.json([{ product_id: "secret" }]))
      for (const menu_url of [
        url,
        `http://localhost:${web.port}/menu`,
        "http://169.254.169.254/latest/meta-data"
      ]) {
        yield* save("private", menu_url)
        const failure = yield* Effect.flip(
          run(crawl, { store_id: "private" }).pipe(Effect.provide(sources(Option.none(), false)))
        )
        assert.include(
          failure.message,
          `The menu of store private: ${menu_url} is not on the public internet`
        )
        assert.isFalse(failure.retryable)
      }
      assert.deepStrictEqual(web.requests, [])
      assert.strictEqual((yield* query("private", {})).total, 0)
    })
  )

  it.effect("report a deleted store, and a store without a menu", () =>
    Effect.gen(function* () {
      yield* save("bare", null)
      yield* save("deleted", "http://127.0.0.1/")
      yield* Stores.use((stores) => stores.remove("deleted"))
      for (const [store_id, message] of [
        ["deleted", "There is no store deleted"],
        ["bare", "Store bare has no menu_url"]
      ] as const) {
        const failure = yield* Effect.flip(
          run(crawl, { store_id }).pipe(Effect.provide(sources(Option.none())))
        )
        assert.deepStrictEqual([failure.message, failure.retryable], [message, false])
      }
    })
  )

  it.effect("report problems of the directory, and allow it in a private network", () =>
    Effect.gen(function* () {
      const market = yield* TestMarket.start(["NV"], 1)
      const discover = (directoryUrl: Option.Option<string>) =>
        run(discovery, { state: "NV" }).pipe(Effect.provide(sources(directoryUrl, false)))
      const url = `${market.web.origin}/directory/NV.json`
      yield* discover(Option.some(market.directoryUrl))

      const unset = yield* Effect.flip(discover(Option.none()))
      assert.match(unset.message, /^No store directory is configured: set CLICKS_DISCOVERY_URL to its URL/)
      assert.isFalse(unset.retryable)

      const pages: ReadonlyArray<readonly [TestWeb.Page, string, boolean]> = [
        [
          TestWeb.status(200, { "content-type": "text/html" }, "<html>"),
          `The store directory: ${url} returned HTML instead of JSON`,
          false
        ],
        [TestWeb.json({ stores: [] }), "The directory's response for NV is not an array of stores", false],
        [TestWeb.status(503), `The store directory: ${url} returned status 503`, true]
      ]
      for (const [page, message, retryable] of pages) {
        market.web.page("/directory/NV.json", page)
        const failure = yield* Effect.flip(discover(Option.some(market.directoryUrl)))
        assert.deepStrictEqual([failure.message, failure.retryable], [message, retryable])
      }
      assert.isTrue(Option.isSome(yield* Stores.use((stores) => stores.get("nv-0"))))
    })
  )
})
