import { ClickArrivals } from "@clicks/core/clicks/ClickArrivals"
import { type ClickFilter, type EqualityField, equalityFields } from "@clicks/core/clicks/ClickFilter"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as ClickArrivalsSql from "../../src/clicks/ClickArrivalsSql.ts"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import { isIndexed } from "../../src/clicks/clickConditions.ts"
import * as TestDatabase from "../TestDatabase.ts"
import { countAll } from "./countAll.ts"
import { readFor, readForPage } from "./pagePlan.ts"

const limit = 100
const rows = 120_000

/** The values of each field, as expressions in `n`. */
type Values = Readonly<Record<EqualityField, string>>

const insert = (values: Values, first: number, last: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      insert into clicks (${sql.csv(equalityFields)}, id, occurred_at, received_at)
      select ${sql.literal(equalityFields.map((field) => values[field]).join(", "))}, gen_random_uuid(),
        timestamptz '2026-07-29' + n * interval '65 seconds', now()
      from generate_series(${first}::integer, ${last}) as n`
  )

const all = (value: string, action: string): Values => ({
  product_id: `'${value}'`,
  store_id: `'${value}'`,
  brand_id: `'${value}'`,
  campaign_id: `'${value}'`,
  source: `'${value}'`,
  page_type: `'${value}'`,
  device_type: "'desktop'",
  visitor_state: `'${value}'`,
  visitor_city: `'${value}'`,
  visitor_id: `'${value}'`,
  session_id: `'${value}'`,
  action: `'${action}'`
})

const often = (tenths: number, prefix: string, others = 100) =>
  `case when n % 8000 = 7 then 'rare' when n % 10 < ${tenths} then 'often' else '${prefix}-' || n % ${others} end`

// Three months. Most of the oldest clicks have the same values. They are followed by clicks of the same product without its other values,
// and those by clicks without any of these values. The newest have values that were unknown at the last ANALYZE, and the very newest have
// others again.
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter table clicks set (autovacuum_enabled = off)`
  const old: Values = {
    product_id: often(4, "p", 2000),
    store_id: often(5, "s"),
    brand_id: often(5, "b"),
    campaign_id: often(5, "c"),
    source: often(9, "source"),
    page_type: often(5, "page"),
    device_type: "case when n % 8000 = 7 then 'tablet' else 'mobile' end",
    visitor_state: often(5, "state"),
    visitor_city: often(5, "city"),
    visitor_id: often(1, "v", 20_000),
    session_id: often(1, "s", 40_000),
    action: "case when n % 8000 = 7 then 'compare' when n % 10 < 6 then 'view' else 'other' end"
  }
  // In parts, so that each takes less than the statement timeout on a busy machine.
  for (const before of [0, 20_000, 40_000, 60_000]) yield* insert(old, before + 1, before + 20_000)
  yield* insert({ ...all("another", "open_store"), product_id: "'often'" }, 80_001, 100_000)
  yield* insert(all("another", "open_store"), 100_001, rows)
  yield* sql`analyze clicks`
  yield* insert(all("new", "open_product"), rows + 1, rows + 15_000)
  yield* insert(all("newest", "open_store"), rows + 15_001, rows + 20_000)
})

const store = Layer.mergeAll(ClickStoreSql.layer, ClickArrivalsSql.layer, Layer.effectDiscard(fill)).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

// Each row may be on a different page. In addition, pages on the way down the index are read.
const mostBlocks = (seen: number): number => seen + 20

const valuesOf = (field: EqualityField): ReadonlyArray<string> =>
  field === "action" ? ["view", "compare", "open_product", "none"] : ["often", "rare", "new", "none"]

const ranges: ReadonlyArray<ClickFilter> = [
  {},
  { from: new Date("2026-08-10"), to: new Date("2026-11-30") },
  { from: new Date("2026-11-01") },
  { to: new Date("2026-09-01") }
]

const singles = equalityFields
  .filter(isIndexed)
  .flatMap((field) => valuesOf(field).map((value) => [field, value] as const))

layer(store, { excludeTestServices: true })(`listing ${rows} clicks`, (it) => {
  it.effect.each(singles)("by %o = %o reads the rows of that value and that page only", ([field, value]) =>
    Effect.gen(function* () {
      for (const range of ranges) {
        const query = { filter: { [field]: value, ...range }, limit, offset: 0 }
        const first = yield* readForPage(query)
        const after = first.result.events.at(-1)
        const next = yield* readForPage({ ...query, ...(after && { after }) })
        const further = yield* readForPage({ ...query, offset: 1500 })
        for (const read of [first, next, further]) {
          assert.deepStrictEqual(read.indexes, [`clicks_by_${field}`])
          assert.isAtMost(read.rows, (read === further ? 1500 : 0) + limit + 1)
          assert.isAtMost(read.blocks, mostBlocks(read.rows))
        }
      }
    })
  )

  it.effect.each(ranges)("in the range %o reads the rows of its page in listing order", (range) =>
    Effect.gen(function* () {
      const first = yield* readForPage({ filter: range, limit, offset: 0 })
      const after = first.result.events.at(-1)
      const next = yield* readForPage({ filter: range, limit, offset: 0, ...(after && { after }) })
      for (const read of [first, next]) {
        assert.deepStrictEqual(read.indexes, ["clicks_in_listing_order"])
        assert.isAtMost(read.rows, limit + 1)
        assert.isAtMost(read.blocks, mostBlocks(read.rows))
      }
    })
  )

  it.effect("after a position reads no clicks that arrived before it", () =>
    Effect.gen(function* () {
      const arrivals = yield* ClickArrivals
      const now = yield* arrivals.now
      for (const [field, value] of singles) {
        const filter = { [field]: value, ...ranges[1] }
        const { indexes, rows } = yield* readFor(arrivals.since(now, filter, limit))
        assert.deepStrictEqual([field, value, indexes, rows], [field, value, ["clicks_by_arrival"], 0])
      }
    })
  )

  it.effect("by two values starts where rows have both", () =>
    Effect.gen(function* () {
      yield* countAll
      const sql = yield* SqlClient.SqlClient
      const query = { filter: { product_id: "often", source: "often" }, limit, offset: 0 }
      const ids = Effect.map(
        sql<{ readonly id: string }>`
          select id::text from clicks where product_id = 'often' and source = 'often'
          order by occurred_at desc, id desc limit ${limit}`,
        (found) => found.map(({ id }) => id)
      )
      const read = yield* readForPage(query)
      assert.deepStrictEqual(
        read.result.events.map(({ id }) => id as string),
        yield* ids
      )
      // The rows of the bin of 32 hours in which they end.
      assert.isAtMost(read.rows, 2000)

      // One newer click that is not counted yet.
      yield* insert(
        { ...all("newest", "view"), product_id: "'often'", source: "'often'" },
        rows + 20_001,
        rows + 20_001
      )
      const { events } = yield* ClickStore.use((store) => store.list(query))
      assert.deepStrictEqual(
        events.map(({ id }) => id as string),
        yield* ids
      )
    })
  )

  it.effect("by several values reads rows of the rarest", () =>
    Effect.gen(function* () {
      const filter = { campaign_id: "c-45", action: "view", source: "often" }
      const read = yield* readForPage({ filter, limit, offset: 0 })
      assert.lengthOf(read.result.events, limit)
      assert.deepStrictEqual(read.indexes, ["clicks_by_campaign_id"])
      assert.isAtMost(read.rows, limit + 1)
    })
  )
})
