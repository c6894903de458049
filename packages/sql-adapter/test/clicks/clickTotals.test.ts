import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { assert, layer } from "@effect/vitest"
import { Arbitrary, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  arbitraryBatch,
  arbitraryFilter,
  arbitraryPage
} from "../../../core/test/contract/clicks/arbitraryClicks.ts"
import { suite } from "../../../core/test/contract/clicks/ClickStoreContract.ts"
import { expectedPage } from "../../../core/test/contract/clicks/expectedPage.ts"
import * as ClickRollup from "../../src/clicks/ClickRollup.ts"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import { matches } from "../../src/clicks/clickConditions.ts"
import { skip, total } from "../../src/clicks/listing/clickTotals.ts"
import * as TestDatabase from "../TestDatabase.ts"

// If bins are split from the third click on, few clicks reach every width.
const divideEarly = SqlClient.SqlClient.use((sql) =>
  sql`
    create or replace function click_limit(level integer) returns integer language sql immutable
    as $$ select case level when 7 then 2147483647 else 2 end $$`.pipe(
    Effect.andThen(sql`
      create or replace function click_part_limit(level integer) returns integer language sql immutable
      as $$ select 1 $$`),
    Effect.andThen(sql`
      create or replace function click_pairing_limit(clicks bigint) returns bigint language sql immutable
      as $$ select 3::bigint $$`)
  )
)

const database = Layer.effectDiscard(divideEarly).pipe(Layer.provideMerge(TestDatabase.layer))
const connected = ClickStoreSql.layer.pipe(Layer.provideMerge(database))

/** A store that counts all clicks before each read. */
const counted = Layer.effect(
  ClickStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const store = yield* ClickStore
    const countAll = Effect.repeat(Effect.provideService(ClickRollup.rollUp(), SqlClient.SqlClient, sql), {
      until: (rows) => rows === 0
    }).pipe(Effect.orDie)
    return ClickStore.of({ ...store, list: (query) => Effect.andThen(countAll, store.list(query)) })
  })
)

suite("PostgreSQL, counted", counted.pipe(Layer.provide(connected)))

const step = (rows: number) => SqlClient.SqlClient.use((sql) => sql`select roll_up_clicks(${rows}::integer)`)

// The connection is lost after all work is done and before the commit.
const killedStep = SqlClient.SqlClient.use(
  (sql) => sql`select pg_terminate_backend(pg_backend_pid()) from roll_up_clicks(5)`
).pipe(Effect.ignore)

const insert = (batch: ReadonlyArray<ClickEvent>) => ClickStore.use((store) => store.insert(batch))

const remove = (ids: ReadonlyArray<string>) =>
  SqlClient.SqlClient.use((sql) => sql`delete from clicks where id::text in ${sql.in(["", ...ids])}`)

/** The total from the counts and from the rows, in one snapshot. */
const bothTotals = Effect.fnUntraced(function* (filter: ClickFilter) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly counts: number; readonly rows: number }>`
    select ${total(sql, filter)} as counts,
      (select count(*)::double precision from clicks where ${matches(sql, filter)}) as rows`
  return row
})

const assertTotal = (filter: ClickFilter) =>
  Effect.map(bothTotals(filter), (both) => {
    assert.strictEqual(both?.counts, both?.rows, JSON.stringify(filter))
  })

const shared = [
  ["product_id", "source"],
  ["store_id", "campaign_id"],
  ["product_id", "store_id"],
  ["product_id", "source", "action"],
  ["campaign_id", "source", "action"],
  ["product_id", "store_id", "source"]
] as const

const Common = Schema.Struct({
  fields: Schema.Literals([0, 1, 2, 3, 4, 5]),
  range: Schema.Literals(["none", "from", "to"])
})

/** A filter that matches the click and those with the same values in some fields. */
const inCommon = (event: ClickEvent, { fields, range }: typeof Common.Type): ClickFilter => ({
  ...Object.fromEntries(
    shared[fields].flatMap((field) => (event[field] === null ? [] : [[field, event[field]]]))
  ),
  ...(range !== "none" && { [range]: event.occurred_at })
})

const Step = Schema.Literals(["nothing", "all", "some", "one", "killed", "delete"])

layer(connected, { excludeTestServices: true })("totals of clicks", (it) => {
  const stored = new Map<string, ClickEvent>()

  it.effect.prop(
    "equal a recount after counting, repeats, deletions and broken connections",
    [arbitraryBatch, Step, Arbitrary.array(arbitraryFilter, { minLength: 6, maxLength: 6 }), arbitraryPage],
    ([batch, what, filters, page]) =>
      Effect.gen(function* () {
        yield* insert(batch)
        for (const event of batch) if (!stored.has(event.id)) stored.set(event.id, event)
        if (what === "all") yield* step(50_000)
        if (what === "some") yield* step(7)
        if (what === "one") yield* Effect.repeat(step(1), { times: 3 })
        if (what === "killed") yield* killedStep
        if (what === "delete") {
          const gone = Array.from(stored.keys()).filter((_, index) => index % 5 === 0)
          yield* remove(gone)
          for (const id of gone) stored.delete(id)
        }
        // An unknown action may have the name of a column of the counts.
        const fixed = [{}, { action: "view" }, { product_id: "p-1" }, { action: "split", product_id: "p-1" }]
        for (const filter of [...filters, ...fixed]) {
          const query = { filter, ...page }
          assert.deepStrictEqual(
            yield* ClickStore.use((store) => store.list(query)),
            expectedPage(stored.values(), query)
          )
        }
      }),
    { arbitrary: { runs: 30 } }
  )

  it.effect.prop(
    "equal a recount for combined values, with or without an action and a range",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 })), Common],
    ([index, common]) =>
      Effect.gen(function* () {
        const events = Array.from(stored.values())
        const event = events[index % events.length]
        if (event !== undefined) yield* assertTotal(inCommon(event, common))
      }),
    { arbitrary: { runs: 150 } }
  )

  it.effect.prop(
    "find the start of a deep page",
    [arbitraryFilter, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))],
    ([filter, offset]) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ readonly skipped: number; readonly rows: number }>`
          select skipped::double precision as skipped, (
            select count(*)::double precision from clicks where ${matches(sql, filter)} and occurred_at >= before
          ) as rows
          from ${skip(sql, filter, offset)}`
        assert.strictEqual(row?.skipped, row?.rows)
        assert.isAtMost(row?.skipped ?? 0, offset)
      }),
    { arbitrary: { runs: 100 } }
  )

  it.effect("agree with the rows of the same snapshot while clicks arrive and are counted", () =>
    Effect.gen(function* () {
      const filters: ReadonlyArray<ClickFilter> = [{}, { action: "view" }, { source: "p-1" }]
      const batches = yield* Arbitrary.sampleEffect(arbitraryBatch, { count: 60 })
      const arrivals = Effect.forEach(batches, insert, { concurrency: 3 })
      const counting = Effect.repeat(step(20), { times: 40 })
      const removals = Effect.repeat(
        remove(
          batches
            .flat()
            .slice(0, 20)
            .map(({ id }) => id)
        ),
        { times: 5 }
      )
      const looking = Effect.forEach(Array.from({ length: 40 }), () => Effect.forEach(filters, assertTotal))
      yield* Effect.all([arrivals, counting, counting, removals, looking], { concurrency: "unbounded" })
      yield* Effect.forEach(filters, assertTotal)
    })
  )

  it.effect("are discarded and rebuilt in another cluster", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`update click_rollup set system = 'elsewhere', arrival = '1000000'`
      yield* sql`update clicks set arrival = '2000000' where action = 'view'`
      yield* assertTotal({})
      yield* Effect.repeat(step(50), { until: (rows) => rows.length === 0, times: 60 })
      yield* sql`update click_keys set n = n + 1 where field = ''`
      const both = yield* bothTotals({})
      assert.strictEqual(both?.counts, (both?.rows ?? 0) + 1, "the counts are in use again")
      yield* sql`truncate clicks`
      yield* assertTotal({})
    })
  )

  it.effect("are counted in the background", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const batches = yield* Arbitrary.sampleEffect(arbitraryBatch, { count: 5 })
      yield* Effect.forEach(batches, insert)
      const left = sql`select from clicks, click_rollup where clicks.arrival >= click_rollup.arrival`
      const counted = Effect.repeat(left, { until: (rows) => rows.length === 0 })
      yield* Effect.scoped(Effect.andThen(Layer.build(ClickRollup.layer), counted))
      yield* assertTotal({})
    })
  )
})
