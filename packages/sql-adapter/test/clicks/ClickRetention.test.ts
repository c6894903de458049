import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { Quarantine } from "@clicks/core/clicks/recording/Quarantine"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { spooledClick } from "../../../core/test/contract/clicks/spooledClicks.ts"
import * as ClickRetention from "../../src/clicks/ClickRetention.ts"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import * as QuarantineSql from "../../src/clicks/QuarantineSql.ts"
import * as TestDatabase from "../TestDatabase.ts"
import { countAll } from "./countAll.ts"

const ports = Layer.mergeAll(ClickStoreSql.layer, QuarantineSql.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const day = 86_400_000
const cutoff = new Date("2026-06-01T00:00:00Z")
const daysAfter = (days: number) => new Date(cutoff.getTime() + days * day)

const click = (product_id: string, occurred: number, received: number): ClickEvent =>
  spooledClick({ product_id, occurred_at: daysAfter(occurred), received_at: daysAfter(received) }).event

const insert = (clicks: ReadonlyArray<ClickEvent>) => ClickStore.use((store) => store.insert(clicks))

const listing = (filter: { readonly product_id?: string }) =>
  Effect.map(
    ClickStore.use((store) => store.list({ filter, limit: 1000, offset: 0 })),
    ({ events, total }) => ({ total, products: events.map((event) => event.product_id) })
  )

layer(ports, { excludeTestServices: true })("retention", (it) => {
  it.effect("deletes only clicks that both occurred and were received before the instant", () =>
    Effect.gen(function* () {
      yield* insert([
        click("old", -1, -1),
        click("very old", -4000, -1),
        click("of a wrong clock", -9000, 1),
        click("ahead of time", 1, -1),
        click("at the instant", 0, 0),
        click("new", 1, 1)
      ])
      yield* countAll
      yield* insert([click("not counted", -2, -2)])
      assert.strictEqual(yield* ClickRetention.deleteBefore(cutoff), 3)
      const left = { total: 4, products: ["new", "ahead of time", "at the instant", "of a wrong clock"] }
      const { products, total } = yield* listing({})
      assert.deepStrictEqual(
        { total, products: products.toSorted() },
        { ...left, products: left.products.toSorted() }
      )
      assert.strictEqual((yield* listing({ product_id: "old" })).total, 0)
      yield* countAll
      assert.strictEqual((yield* listing({})).total, 4)
      assert.strictEqual(yield* ClickRetention.deleteBefore(cutoff), 0)
    })
  )

  it.effect("deletes in several steps, and skips clicks that are kept", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`truncate clicks`
      // Every third of 12,000 clicks was received late; a thousand share an instant.
      yield* insert(
        Array.from({ length: 12_000 }, (_, n) =>
          click(n % 3 === 0 ? "stays" : "goes", -30 + Math.floor(n / 1000), n % 3 === 0 ? 1 : -1)
        )
      )
      yield* countAll
      assert.strictEqual(yield* ClickRetention.deleteBefore(cutoff), 8000)
      assert.strictEqual((yield* listing({})).total, 4000)
      assert.strictEqual((yield* listing({ product_id: "goes" })).total, 0)
    })
  )

  it.effect("deletes quarantined originals by the time they were received", () =>
    Effect.gen(function* () {
      const entry = (days: number) => {
        const { id, received_at } = click("q", days, days)
        return { click_id: id, received_at, reason: `${days}`, original: new Uint8Array([1]) }
      }
      const quarantine = yield* Quarantine
      yield* quarantine.put([entry(-1), entry(0), entry(2)])
      yield* ClickRetention.deleteBefore(cutoff)
      assert.deepStrictEqual((yield* quarantine.list(10)).map(({ reason }) => reason).toSorted(), ["0", "2"])
    })
  )

  it.effect("deletes the texts and visitors that only deleted clicks had", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`truncate clicks`
      const visit = (product_id: string, occurred: number, visitor_id: string): ClickEvent => ({
        ...click(product_id, occurred, occurred),
        store_id: `store of ${product_id}`,
        visitor_id
      })
      const old = [visit("gone", -2, "anna"), visit("shared", -2, "bert"), visit("shared", -1, "carl")]
      yield* insert([...old, visit("shared", 1, "bert"), visit("kept", 1, "dora")])
      yield* countAll
      assert.strictEqual(yield* ClickRetention.deleteBefore(cutoff), 3)
      const names = sql<{ readonly value: string }>`
        select value from click_texts where value ~ 'gone|shared|kept' order by value`
      assert.deepStrictEqual(
        (yield* names).map(({ value }) => value),
        ["kept", "shared", "store of kept", "store of shared"]
      )
      const visitors = sql<{ readonly number: string }>`select number::text from click_visitors order by 1`
      const expected = sql<{ readonly number: string }>`
        select hashtextextended(visitor_id, 2)::text as number from clicks order by 1`
      assert.deepStrictEqual(yield* visitors, yield* expected)

      yield* insert([visit("gone", 2, "anna")])
      yield* countAll
      assert.strictEqual((yield* names).length, 6)
      assert.deepStrictEqual(yield* visitors, yield* expected)
    })
  )

  it.effect("runs in the background with the configured number of days", () =>
    Effect.gen(function* () {
      const now = Date.now()
      const sql = yield* SqlClient.SqlClient
      yield* sql`truncate clicks`
      const aged = (product_id: string, days: number) => {
        const at = new Date(now - days * day)
        return spooledClick({ product_id, occurred_at: at, received_at: at }).event
      }
      yield* insert([aged("kept", 29.9), aged("gone", 30.1)])
      const left = Effect.map(listing({}), ({ products }) => products)
      yield* Effect.scoped(
        Effect.andThen(
          Layer.build(ClickRetention.layer(30)),
          Effect.repeat(left, { until: (products) => products.length === 1 })
        )
      )
      assert.deepStrictEqual(yield* left, ["kept"])
    })
  )
})
