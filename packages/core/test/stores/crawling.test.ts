import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { putPayload } from "../../src/stores/putPayload.ts"
import { crawlStore, discoverStores } from "../../src/stores/refreshStores.ts"
import { StorePayloads } from "../../src/stores/StorePayloads.ts"
import { StoreSource, StoreSourceError } from "../../src/stores/StoreSource.ts"
import { Stores } from "../../src/stores/Stores.ts"
import * as StoresMemory from "../contract/stores/StoresMemory.ts"

const directory = (answer: unknown) => Layer.mock(StoreSource, { stores: () => Effect.succeed(answer) })
const away = Layer.mock(StoreSource, {
  stores: () => Effect.fail(new StoreSourceError({ message: "The directory is away", retryable: true }))
})
const menu = (answer: unknown) => Layer.mock(StoreSource, { menu: () => Effect.succeed(answer) })
const closed = Layer.mock(StoreSource, {
  menu: () => Effect.fail(new StoreSourceError({ message: "The shop is closed", retryable: true }))
})

const products = (store_id: string) =>
  StorePayloads.use((payloads) =>
    payloads.query(store_id, { filter: {}, order: "asc", limit: 1000, offset: 0 })
  ).pipe(Effect.map((page) => page.products.map((product) => product.product_id)))

const get = (id: string) => Stores.use((stores) => stores.get(id)).pipe(Effect.map(Option.getOrUndefined))
const withStores = Effect.provide(StoresMemory.layer)

describe("discoverStores", () => {
  it.effect("saves the stores of the directory repeatedly", () =>
    Effect.gen(function* () {
      const answer = [{ id: "a", name: "A", menu_url: "https://a.example/" }, { id: "b" }, "nonsense"]
      const discover = discoverStores("AZ").pipe(Effect.provide(directory(answer)))
      assert.deepStrictEqual(yield* discover, { total: 2, added: 2, rejected: 1 })
      assert.deepStrictEqual(yield* discover, { total: 2, added: 0, rejected: 1 })
      assert.deepInclude(yield* get("a"), { state: "AZ", menu_url: "https://a.example/" })
    }).pipe(withStores)
  )

  it.effect("reports an invalid response and an unreachable directory", () =>
    Effect.gen(function* () {
      const wrong = yield* Effect.flip(discoverStores("AZ").pipe(Effect.provide(directory({ stores: [] }))))
      assert.strictEqual(wrong.message, "The directory's response for AZ is not an array of stores")
      const error = yield* Effect.flip(discoverStores("AZ").pipe(Effect.provide(away)))
      assert.strictEqual(error.message, "The directory is away")
    }).pipe(withStores)
  )
})

describe("crawlStore", () => {
  it.effect("replaces the products, and keeps the old ones on any failure", () =>
    Effect.gen(function* () {
      yield* discoverStores("AZ").pipe(Effect.provide(directory([{ id: "a" }])))
      yield* TestClock.adjust("1 hour")
      const now = new Date(yield* Clock.currentTimeMillis)
      const crawl = (source: Layer.Layer<StoreSource>) => crawlStore("a").pipe(Effect.provide(source))
      const good = [{ product_id: "p-1" }, 42, { product_id: "p-2" }]
      assert.deepStrictEqual(yield* crawl(menu(good)), { total: 2, rejected: 1 })
      assert.deepInclude(yield* get("a"), { fetched_at: now, product_count: 2 })
      yield* TestClock.adjust("1 hour")

      const messages = yield* Effect.forEach(
        [menu({ products: [] }), menu("<html>"), menu([1, 2]), closed],
        (source) => Effect.flip(crawl(source)).pipe(Effect.map((error) => error.message))
      )
      assert.deepStrictEqual(messages, [
        "The menu of store a is not an array of products",
        "The menu of store a is not an array of products",
        "The menu of store a contains no valid product; entry 0: a product must be an object",
        "The shop is closed"
      ])
      assert.deepStrictEqual(yield* products("a"), ["p-1", "p-2"])
      assert.deepInclude(yield* get("a"), { fetched_at: now })

      assert.deepStrictEqual(yield* crawl(menu([])), { total: 0, rejected: 0 })
      assert.deepStrictEqual(yield* products("a"), [])
    }).pipe(withStores)
  )

  it.effect("fails for a store that is unknown or deleted meanwhile, and does not recreate it", () =>
    Effect.gen(function* () {
      const unknown = yield* Effect.flip(crawlStore("gone").pipe(Effect.provide(menu([]))))
      assert.strictEqual(unknown.message, "There is no store gone")
      yield* discoverStores("AZ").pipe(Effect.provide(directory([{ id: "a" }])))
      const stores = yield* Stores
      const removing = Layer.mock(StoreSource, {
        menu: () => Effect.as(Effect.orDie(stores.remove("a")), [{ product_id: "p" }])
      })
      const removed = yield* Effect.flip(crawlStore("a").pipe(Effect.provide(removing)))
      assert.strictEqual(removed.message, "There is no store a")
      assert.isUndefined(yield* get("a"))
    }).pipe(withStores)
  )
})

describe("putPayload", () => {
  it.effect("stores the products, and saves a new store", () =>
    Effect.gen(function* () {
      const receipt = yield* putPayload("new", { products: [{ product_id: "p" }, {}] })
      assert.deepStrictEqual(receipt, {
        store_id: "new",
        fetched_at: new Date(0),
        total: 1,
        rejected: 1,
        errors: [{ index: 1, error: "product_id is required and must be a non-empty string" }]
      })
      assert.deepInclude(yield* get("new"), { name: null, state: null, menu_url: null, product_count: 1 })
      const fetched_at = new Date("2026-11-20T09:00:00Z")
      yield* putPayload("new", { products: [], fetched_at: "2026-11-20T10:00:00+01:00" })
      assert.deepInclude(yield* get("new"), { fetched_at, product_count: 0 })
    }).pipe(withStores)
  )

  it.effect("rejects an invalid payload and keeps the old one", () =>
    Effect.gen(function* () {
      yield* putPayload("a", { products: [{ product_id: "p" }] })
      const bodies = [
        null,
        [],
        "x",
        {},
        { products: {} },
        { products: [], fetched_at: "soon" },
        { products: [0] }
      ]
      const messages = yield* Effect.forEach(bodies, (body) => Effect.flip(putPayload("a", body)))
      assert.deepStrictEqual(
        messages.map((error) => error.message),
        [
          ...Array(3).fill("The payload must be a JSON object with an array of products"),
          ...Array(2).fill("products is required and must be an array"),
          "fetched_at must be an ISO 8601 date-time, such as 2026-11-20T10:00:00Z",
          "products contains no valid product; entry 0: a product must be an object"
        ]
      )
      assert.deepStrictEqual(yield* products("a"), ["p"])
    }).pipe(withStores)
  )

  it.effect("rejects an invalid store id", () =>
    Effect.gen(function* () {
      const ids = ["", "x".repeat(256), "a\0b", "\ud83d"]
      const messages = yield* Effect.forEach(ids, (id) => Effect.flip(putPayload(id, { products: [] })))
      assert.deepStrictEqual(
        messages.map((error) => error.message),
        [
          "is empty",
          "is longer than 255 characters",
          "contains a NUL character",
          "contains a lone surrogate"
        ].map((problem) => `The store's id ${problem}`)
      )
    }).pipe(withStores)
  )
})
