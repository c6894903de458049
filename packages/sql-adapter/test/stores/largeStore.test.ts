import type { Product } from "@clicks/core/stores/Product"
import * as ProductAggregate from "@clicks/core/stores/ProductAggregate"
import * as ProductQuery from "@clicks/core/stores/ProductQuery"
import { productGroupings } from "@clicks/core/stores/productParameters"
import { StorePayloads } from "@clicks/core/stores/StorePayloads"
import { Stores } from "@clicks/core/stores/Stores"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { groupProducts, matches, sortProducts } from "../../../core/test/contract/stores/products.ts"
import * as StorePayloadsSql from "../../src/stores/StorePayloadsSql.ts"
import * as StoresSql from "../../src/stores/StoresSql.ts"
import * as TestDatabase from "../TestDatabase.ts"

const stores = Layer.merge(StoresSql.layer, StorePayloadsSql.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const categories = ["Flower", "Edible", "Vape", "Concentrate", "Topical", "Pre-roll", "Tincture", "Gear"]

const product = (_: unknown, index: number): Product => ({
  product_id: `p-${index}`,
  name: `${["Blue Dream", "OG Kush", "Gelato"][index % 3]} ${((index * 2_654_435_761) % 4_294_967_296).toString(36)}`,
  brand: `Brand ${(index * 7919) % 200}`,
  category: categories[index % categories.length] ?? null,
  price: index % 50 === 0 ? null : ((index * 7919) % 10_000) / 100,
  thc: index % 10 === 0 ? null : ((index * 104_729) % 350) / 10,
  in_stock: index % 5 !== 0,
  url: `https://shop.example/products/${index}`,
  strain: "Hybrid",
  description: "Lorem ipsum dolor sit amet ".repeat(8)
})

const queries: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { offset: "40000" },
  { sort: "name" },
  { sort: "name", order: "desc", offset: "40000" },
  { sort: "price" },
  { sort: "price", order: "desc" },
  { sort: "thc", order: "desc" },
  { sort: "brand" },
  { price_min: "10", price_max: "12", sort: "thc" },
  { brand: "Brand 7", sort: "price", order: "desc" },
  { category: "Flower", in_stock: "true", sort: "price" },
  { search: "GELATO", sort: "name" },
  { search: "nothing has this" }
]

const size = 50_000

// Within a transaction, PostgreSQL counts immediately, and includes what it has not reported of earlier transactions of the session.
const rowsSoFar = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly rows: number }>`
    select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0)::int as rows
    from pg_stat_xact_user_tables`
  return row?.rows ?? Number.NaN
})

/** Fails if the statements read many times as many rows as there are: counting, filtering and sorting read the store at most twice. */
const readingTwice = Effect.fnUntraced(function* <A, E, R>(name: string, effect: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient.SqlClient
  const counted = Effect.all([rowsSoFar, effect, rowsSoFar])
  const [before, answer, after] = yield* sql.withTransaction(counted)
  assert.isAbove(after, before, name)
  assert.isAtMost(after - before, 3 * size, name)
  return answer
})

layer(stores)("a store of 50,000 products", (it) => {
  it.effect("answers correctly and reads the store at most three times", () =>
    Effect.gen(function* () {
      const payloads = yield* StorePayloads
      const menu = Array.from({ length: size }, product)
      const ids = ["large", "other"]
      yield* Stores.use((known) =>
        known.save(ids.map((id) => ({ id, name: null, state: null, menu_url: null })))
      )
      yield* payloads.replace({ store_id: "other", fetched_at: new Date(), products: menu.slice(0, 5000) })
      yield* payloads.replace({ store_id: "large", fetched_at: new Date(), products: menu })

      for (const parameters of queries) {
        const query = Result.getOrThrow(ProductQuery.parse(parameters))
        const name = `query ${new URLSearchParams(parameters)}`
        const page = yield* readingTwice(name, payloads.query("large", query))
        const found = menu.filter((each) => matches(query.filter, each))
        const expected = sortProducts(found, query).slice(query.offset, query.offset + query.limit)
        assert.deepStrictEqual(page.products, expected, name)
        assert.strictEqual(page.total, found.length, name)
      }
      for (const group_by of productGroupings) {
        const query = Result.getOrThrow(ProductAggregate.parse({ group_by }))
        const { groups } = yield* readingTwice(`aggregate ${group_by}`, payloads.aggregate("large", query))
        assert.deepStrictEqual(
          groups.map(({ count, key, price_max }) => [key, count, price_max]),
          groupProducts(menu, group_by).map(({ count, key, price_max }) => [key, count, price_max])
        )
      }
    })
  )
})

layer(stores)("a store with a product of 18 MiB", (it) => {
  it.effect("answers with the product", () =>
    Effect.gen(function* () {
      const payloads = yield* StorePayloads
      const store = { id: "heavy", name: null, state: null, menu_url: null }
      yield* Stores.use((known) => known.save([store]))
      const heavy: Product = { ...product(undefined, 1), description: '"'.repeat(9 * 1024 * 1024) }
      yield* payloads.replace({ store_id: "heavy", fetched_at: new Date(), products: [heavy] })
      const page = yield* payloads.query("heavy", Result.getOrThrow(ProductQuery.parse({})))
      assert.isTrue(page.products[0]?.["description"] === heavy["description"])
    })
  )
})
