import type { Product } from "@clicks/core/stores/Product"
import type { ProductGroup, ProductGrouping } from "@clicks/core/stores/ProductAggregate"
import type { ProductFilter } from "@clicks/core/stores/ProductFilter"
import type { ProductQuery } from "@clicks/core/stores/ProductQuery"
import { productGroupings } from "@clicks/core/stores/productParameters"
import { StorePayloads } from "@clicks/core/stores/StorePayloads"
import { Stores } from "@clicks/core/stores/Stores"
import { compareCodePoints, fold } from "@clicks/core/values/Text"
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, type Layer, Result } from "effect"
import { arbitraryFilter, arbitraryMenu, arbitraryPage } from "./arbitraryProducts.ts"

const noon = new Date(Date.UTC(2026, 10, 20, 12))
const everything: ProductQuery = { filter: {}, order: "asc", limit: 1000, offset: 0 }

const product = (product_id: string, fields: Partial<Product> = {}): Product => ({
  product_id,
  name: `Product ${product_id}`,
  brand: null,
  category: null,
  price: null,
  thc: null,
  in_stock: null,
  url: null,
  ...fields
})

const replace = (store_id: string, products: ReadonlyArray<Product>, fetched_at = noon) =>
  StorePayloads.use((payloads) => payloads.replace({ store_id, fetched_at, products }))

const put = Effect.fnUntraced(function* (
  store_id: string,
  products: ReadonlyArray<Product>,
  fetched_at = noon
) {
  yield* Stores.use((stores) => stores.save([{ id: store_id, name: null, state: null, menu_url: null }]))
  yield* replace(store_id, products, fetched_at)
})

const query = (store_id: string, wanted: Partial<ProductQuery> = {}) =>
  StorePayloads.use((payloads) => payloads.query(store_id, { ...everything, ...wanted }))
const aggregate = (store_id: string, group_by: ProductGrouping, filter: ProductFilter = {}) =>
  StorePayloads.use((payloads) => payloads.aggregate(store_id, { group_by, filter }))

/** The contract's rules for filters, implemented differently from the code. */
const isSought = (
  filter: ProductFilter,
  { brand, category, in_stock, name, price, thc }: Product
): boolean => {
  const { price_max, price_min, search, thc_max, thc_min } = filter
  if (filter.brand && !filter.brand.some((wanted) => wanted === brand)) return false
  if (filter.category && !filter.category.some((wanted) => wanted === category)) return false
  if (price_min !== undefined && (price === null || price < price_min)) return false
  if (price_max !== undefined && (price === null || price > price_max)) return false
  if (thc_min !== undefined && (thc === null || thc < thc_min)) return false
  if (thc_max !== undefined && (thc === null || thc > thc_max)) return false
  if (filter.in_stock !== undefined && in_stock !== filter.in_stock) return false
  if (search === undefined) return true
  if (search.includes("\0") || !search.isWellFormed()) return false
  return [name, brand, category].some((text) => text !== null && fold(text).indexOf(fold(search)) >= 0)
}

const rank = (value: Product["price"] | Product["name"]): string | number | null =>
  typeof value === "string" ? fold(value) : value

const precedes = (a: string | number, b: string | number): boolean =>
  typeof a === "string" ? compareCodePoints(a, String(b)) < 0 : a < Number(b)

/** Insertion sort: slow, simple and stable. */
const inOrder = (found: ReadonlyArray<Product>, { order, sort }: ProductQuery): ReadonlyArray<Product> => {
  if (sort === undefined) return order === "asc" ? found : found.toReversed()
  const sorted: Array<Product> = []
  for (const each of found) {
    const value = rank(each[sort])
    const place = sorted.findIndex((other) => {
      const against = rank(other[sort])
      if (value === null) return false
      if (against === null) return true
      return order === "asc" ? precedes(value, against) : precedes(against, value)
    })
    sorted.splice(place === -1 ? sorted.length : place, 0, each)
  }
  return sorted
}

const numbers = (members: ReadonlyArray<Product>, field: "price" | "thc"): Array<number> =>
  members.flatMap((member) => member[field] ?? []).sort((a, b) => a - b)

const figures = (values: ReadonlyArray<number>) => {
  if (values.length === 0) return { min: null, max: null, avg: null, median: null }
  let sum = 0
  for (const value of values) sum += value
  const low = values[Math.ceil(values.length / 2) - 1] ?? Number.NaN
  const high = values[Math.floor(values.length / 2)] ?? Number.NaN
  return {
    min: Math.min(...values),
    max: Math.max(...values),
    avg: sum / values.length,
    median: (low + high) / 2
  }
}

const recount = (found: ReadonlyArray<Product>, group_by: ProductGrouping): ReadonlyArray<ProductGroup> => {
  const keys = Array.from(new Set(found.map((each) => each[group_by])))
  const groups = keys.map((key) => {
    const members = found.filter((each) => each[group_by] === key)
    const price = figures(numbers(members, "price"))
    const thc = figures(numbers(members, "thc"))
    return {
      key,
      count: members.length,
      in_stock: members.filter((member) => member.in_stock).length,
      price_min: price.min,
      price_max: price.max,
      price_avg: price.avg,
      price_median: price.median,
      thc_min: thc.min,
      thc_max: thc.max,
      thc_avg: thc.avg
    }
  })
  return groups.sort((a, b) => {
    if (a.count !== b.count) return b.count - a.count
    if (a.key === null) return 1
    return b.key === null ? -1 : compareCodePoints(a.key, b.key)
  })
}

const means = ["price_avg", "price_median", "thc_avg"] as const

const withoutMeans = (group: ProductGroup) => ({ ...group, price_avg: 0, price_median: 0, thc_avg: 0 })

/** The last of sixteen digits of means and medians depends on the order of addition. */
const assertGroups = (groups: ReadonlyArray<ProductGroup>, expected: ReadonlyArray<ProductGroup>) => {
  assert.deepStrictEqual(groups.map(withoutMeans), expected.map(withoutMeans))
  for (const [index, group] of groups.entries()) {
    for (const name of means) {
      const [mean, other] = [group[name], expected[index]?.[name] ?? null]
      if (mean === null || other === null) assert.strictEqual(mean, other, name)
      else assert.closeTo(mean, other, Math.abs(other) * 1e-12, name)
    }
  }
}

/** The contract of every `StorePayloads`. The tests share one layer, which is empty at first. */
export const suite = <E>(name: string, stores: Layer.Layer<Stores | StorePayloads, E>): void =>
  layer(stores, { timeout: "60 seconds" })(`StorePayloads (${name})`, (it) => {
    it.effect.prop(
      "query returns products unchanged, in the menu's order",
      [arbitraryMenu],
      ([menu]) =>
        Effect.gen(function* () {
          yield* put("put", menu)
          const { fetched_at, products, total } = yield* query("put")
          assert.deepStrictEqual(products, menu)
          assert.strictEqual(JSON.stringify(products.map(keysSorted)), JSON.stringify(menu.map(keysSorted)))
          assert.deepStrictEqual([fetched_at, total], [noon, menu.length])
        }),
      { arbitrary: { runs: 40 } }
    )

    it.effect.prop(
      "query returns what a recount finds",
      [arbitraryMenu, arbitraryFilter, arbitraryPage],
      ([menu, filter, page]) =>
        Effect.gen(function* () {
          yield* put("query", menu)
          const { sort, ...rest } = page
          const wanted: ProductQuery = { filter, ...rest, ...(sort && { sort }) }
          const found = menu.filter((each) => isSought(filter, each))
          const answer = yield* query("query", wanted)
          assert.deepStrictEqual(
            answer.products,
            inOrder(found, wanted).slice(page.offset, page.offset + page.limit)
          )
          assert.strictEqual(answer.total, found.length)
        }),
      { arbitrary: { runs: 120 } }
    )

    it.effect.prop(
      "aggregate equals a recount",
      [arbitraryMenu, arbitraryFilter],
      ([menu, filter]) =>
        Effect.gen(function* () {
          yield* put("aggregate", menu)
          const found = menu.filter((each) => isSought(filter, each))
          for (const group_by of productGroupings) {
            const { groups, total } = yield* aggregate("aggregate", group_by, filter)
            assertGroups(groups, recount(found, group_by))
            assert.strictEqual(total, found.length)
          }
        }),
      { arbitrary: { runs: 80 } }
    )

    it.effect("computes means in decimal: 0.1 and 0.2 have a mean of 0.15", () =>
      Effect.gen(function* () {
        yield* put("money", [
          product("a", { brand: "b", price: 0.1 }),
          product("b", { brand: "b", price: 0.2 }),
          product("c", { brand: "c", price: 10.1 }),
          product("d", { brand: "c", price: 10.2 })
        ])
        const { groups } = yield* aggregate("money", "brand")
        const [first, second] = groups
        assert.closeTo(first?.price_avg ?? 0, 0.15, 1e-15)
        assert.closeTo(second?.price_median ?? 0, 10.15, 1e-14)
        assert.strictEqual((yield* query("money", { filter: { price_min: 0.1, price_max: 0.1 } })).total, 1)
      })
    )

    it.effect("searches literally: % and _ and \\ are ordinary characters", () =>
      Effect.gen(function* () {
        const names = ["100% pure", "1000 mg", "a_b", "axb", "a\\b", "Straße", "Zoë"]
        yield* put(
          "literal",
          names.map((name) => product(name, { name }))
        )
        const found = (search: string) =>
          Effect.map(query("literal", { filter: { search } }), ({ products }) =>
            products.map(({ name }) => name)
          )
        assert.deepStrictEqual(yield* found("%"), ["100% pure"])
        assert.deepStrictEqual(yield* found("0%"), ["100% pure"])
        assert.deepStrictEqual(yield* found("A_B"), ["a_b"])
        assert.deepStrictEqual(yield* found("\\"), ["a\\b"])
        assert.deepStrictEqual(yield* found("STRASSE"), ["Straße"])
        assert.deepStrictEqual(yield* found("ZOE\u0308"), ["Zoë"])
        assert.deepStrictEqual(yield* found("1%g"), [])
      })
    )

    it.effect("stores, finds and sorts texts of any length and characters", () =>
      Effect.gen(function* () {
        const random = Array.from({ length: 60_000 }, (_, index) =>
          String.fromCharCode(0x4e00 + ((index * 7919) % 20_000))
        ).join("")
        const first = product(random, {
          name: random,
          brand: random,
          category: random,
          url: random,
          note: random
        })
        const second = product("second", { name: `${random}!`, brand: `${random}!`, category: `${random}!` })
        const third = product("nul", {
          price: 5e-324,
          thc: 1e15,
          note: "a\0b\ud83d",
          "\0": "\ud83d",
          list: [{ deep: "\0" }]
        })
        yield* put("long", [first, second, third])
        assert.deepStrictEqual((yield* query("long")).products, [first, second, third])
        const sorted = yield* query("long", { sort: "brand", order: "desc" })
        assert.deepStrictEqual(sorted.products, [second, first, third])
        assert.strictEqual((yield* query("long", { filter: { brand: [random], search: random } })).total, 1)
        assert.lengthOf((yield* aggregate("long", "category")).groups, 3)
      })
    )

    it.effect("replaces the whole payload", () =>
      Effect.gen(function* () {
        yield* put("replaced", [product("a"), product("b"), product("c")])
        const later = new Date(noon.getTime() + 1)
        yield* put("replaced", [product("c", { name: "New" }), product("d")], later)
        const { fetched_at, products } = yield* query("replaced")
        assert.deepStrictEqual(products, [product("c", { name: "New" }), product("d")])
        assert.deepStrictEqual(fetched_at, later)
        const store = yield* Stores.use((known) => known.get("replaced")).pipe(
          Effect.flatMap(Effect.fromOption)
        )
        assert.deepStrictEqual([store.fetched_at, store.product_count], [later, 2])
        yield* put("replaced", [])
        assert.deepStrictEqual((yield* query("replaced")).products, [])
      })
    )

    it.effect("shows readers one whole payload while others are written", () =>
      Effect.gen(function* () {
        const menu = (mark: number) =>
          Array.from({ length: 400 + mark }, (_, index) => product(`p-${index}`, { brand: `mark-${mark}` }))
        yield* put("whole", menu(0))
        const marks = [1, 2, 3, 4, 5, 6, 7, 8]
        const readers = Effect.forEach(
          Array.from({ length: 40 }),
          () => Effect.all([query("whole"), aggregate("whole", "brand")]),
          { concurrency: 4 }
        )
        const [, seen] = yield* Effect.all(
          [Effect.forEach(marks, (mark) => put("whole", menu(mark)), { concurrency: 3 }), readers],
          { concurrency: "unbounded" }
        )
        for (const [page, { groups }] of seen) {
          const [brand] = new Set(page.products.map((each) => each.brand))
          assert.deepStrictEqual(page.products, menu(Number(brand?.slice("mark-".length))))
          assert.strictEqual(page.total, page.products.length)
          assert.lengthOf(groups, 1)
        }
        const { products } = yield* query("whole")
        assert.strictEqual(new Set(products.map((each) => each.brand)).size, 1)
      })
    )

    it.effect("stores an interrupted payload whole or not at all", () =>
      Effect.gen(function* () {
        const old = [product("old")]
        const menu = Array.from({ length: 12_000 }, (_, index) => product(`p-${index}`))
        for (let turns = 1; turns <= 64; turns *= 4) {
          yield* put("cut", old)
          const fiber = yield* Effect.forkChild(replace("cut", menu), { startImmediately: true })
          for (let turn = 0; turn < turns; turn++) {
            yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
          }
          yield* Fiber.interrupt(fiber)
          const { products, total } = yield* query("cut")
          assert.include([1, menu.length], total)
          assert.lengthOf(products, Math.min(total, 1000))
        }
        yield* put("cut", old)
        assert.deepStrictEqual((yield* query("cut")).products, old)
      })
    )

    it.effect("keeps the products of stores apart", () =>
      Effect.gen(function* () {
        yield* put("left", [product("same", { name: "left" })])
        yield* put("right", [product("same", { name: "right" }), product("other")])
        assert.strictEqual((yield* query("left")).total, 1)
        assert.strictEqual((yield* query("right", { filter: { search: "RIGHT" } })).total, 1)
      })
    )

    it.effect("returns no products for a store that was never fetched, and fails for an unknown one", () =>
      Effect.gen(function* () {
        yield* Stores.use((stores) => stores.save([{ id: "new", name: null, state: null, menu_url: null }]))
        const page = yield* query("new")
        assert.deepStrictEqual([page.fetched_at, page.total, page.products], [null, 0, []])
        assert.deepStrictEqual((yield* aggregate("new", "brand")).groups, [])
        for (const id of ["unknown", "a\0b", "\ud83d", "x".repeat(300)]) {
          for (const attempt of [query(id), aggregate(id, "brand"), replace(id, [product("a")])]) {
            const result = yield* Effect.result(attempt)
            assert.isTrue(Result.isFailure(result) && result.failure._tag === "UnknownStore", id)
          }
        }
      })
    )
  })

const keysSorted = (each: Product) => Object.entries(each).sort(([a], [b]) => compareCodePoints(a, b))
