import type { Store, StoreListing } from "@clicks/core/stores/Store"
import { StorePayloads } from "@clicks/core/stores/StorePayloads"
import { Stores } from "@clicks/core/stores/Stores"
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"

const listing = (id: string, fields: Partial<StoreListing> = {}): StoreListing => ({
  id,
  name: `Store ${id}`,
  state: "AZ",
  menu_url: `https://${id}.example/menu`,
  ...fields
})

const save = (...stores: ReadonlyArray<StoreListing>) => Stores.use((known) => known.save(stores))
const get = (id: string) =>
  Stores.use((known) => known.get(id)).pipe(Effect.flatMap(Effect.fromOption), Effect.orDie)

const said = ({ id, menu_url, name, state }: Store): StoreListing => ({ id, name, state, menu_url })

/** The contract of every `Stores`. The tests share one layer, which is empty at first. */
export const suite = <E>(name: string, stores: Layer.Layer<Stores | StorePayloads, E>): void =>
  layer(stores, { timeout: "60 seconds" })(`Stores (${name})`, (it) => {
    it.effect("returns what was saved; saving it again changes nothing", () =>
      Effect.gen(function* () {
        const long = "é😀".repeat(30_000)
        const texts = listing("texts", {
          name: `it's "q" {a,b} ${long}`,
          state: "DC",
          menu_url: `https://x.example/?q=${long}`
        })
        const nothing = listing("nothing", { name: null, state: null, menu_url: null })
        assert.strictEqual(yield* save(texts, nothing), 2)
        const first = yield* get("texts")
        assert.deepStrictEqual(said(first), texts)
        assert.strictEqual(first.product_count, 0)
        assert.isNull(first.fetched_at)
        assert.deepStrictEqual(said(yield* get("nothing")), nothing)
        assert.strictEqual(yield* save(texts), 0)
        assert.deepStrictEqual(yield* get("texts"), first)
      })
    )

    it.effect("updates the given fields and keeps those that a listing omits", () =>
      Effect.gen(function* () {
        yield* save(listing("merge"))
        yield* save(listing("merge", { name: "New name", state: null, menu_url: null }))
        assert.deepStrictEqual(said(yield* get("merge")), listing("merge", { name: "New name" }))
      })
    )

    it.effect("keeps the last of several listings with one id", () =>
      Effect.gen(function* () {
        assert.strictEqual(
          yield* save(listing("twice", { name: "first" }), listing("twice", { name: "second" })),
          1
        )
        assert.strictEqual((yield* get("twice")).name, "second")
      })
    )

    it.effect("accepts an empty list", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* save(), 0)
      })
    )

    it.effect("counts each new store once when overlapping saves run at once", () =>
      Effect.gen(function* () {
        const all = Array.from({ length: 300 }, (_, index) => listing(`overlap-${index}`))
        const parts = Array.from({ length: 8 }, (_, index) => {
          const part = all.slice(index * 25, index * 25 + 125)
          return index % 2 === 0 ? part : part.toReversed()
        })
        const added = yield* Effect.forEach(parts, (part) => save(...part), { concurrency: "unbounded" })
        assert.strictEqual(
          added.reduce((sum, count) => sum + count, 0),
          300
        )
      })
    )

    it.effect("lists pages in order of id, and of one state if requested", () =>
      Effect.gen(function* () {
        const ids = ["wy-a", "wy-B", "wy-é", "wy-\uffee", "wy-😀"]
        yield* save(...ids.map((id) => listing(id, { state: "WY" })))
        const page = (limit: number, offset: number) =>
          Stores.use((known) => known.list({ state: "WY", limit, offset }))
        const first = yield* page(3, 0)
        const rest = yield* page(3, 3)
        assert.deepStrictEqual(
          [...first.stores, ...rest.stores].map(({ id }) => id),
          ["wy-B", "wy-a", "wy-é", "wy-\uffee", "wy-😀"]
        )
        assert.deepStrictEqual([first.total, rest.total, (yield* page(3, 9)).total], [5, 5, 5])
        const all = yield* Stores.use((known) => known.list({ limit: 1000, offset: 0 }))
        assert.isAbove(all.total, 5)
      })
    )

    it.effect("removes a store with its products", () =>
      Effect.gen(function* () {
        yield* save(listing("removed"))
        const payloads = yield* StorePayloads
        const products = [
          {
            product_id: "p",
            name: "n",
            brand: null,
            category: null,
            price: 1,
            thc: 1,
            in_stock: true,
            url: null
          }
        ]
        yield* payloads.replace({ store_id: "removed", fetched_at: new Date(0), products })
        assert.isTrue(yield* Stores.use((known) => known.remove("removed")))
        assert.isFalse(yield* Stores.use((known) => known.remove("removed")))
        assert.isTrue(Option.isNone(yield* Stores.use((known) => known.get("removed"))))
        yield* save(listing("removed"))
        const back = yield* get("removed")
        assert.deepStrictEqual([back.fetched_at, back.product_count], [null, 0])
        assert.strictEqual(
          (yield* payloads.query("removed", { filter: {}, order: "asc", limit: 1, offset: 0 })).total,
          0
        )
      })
    )

    it.effect("finds no store for an id that cannot be stored", () =>
      Effect.gen(function* () {
        for (const id of ["a\0b", "\ud83d", "", "x".repeat(300)]) {
          assert.isTrue(Option.isNone(yield* Stores.use((known) => known.get(id))))
          assert.isFalse(yield* Stores.use((known) => known.remove(id)))
        }
      })
    )
  })
