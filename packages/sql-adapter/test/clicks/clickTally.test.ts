import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { assert, layer } from "@effect/vitest"
import { Arbitrary, Effect, Fiber, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { matches } from "../../src/clicks/clickConditions.ts"
import { skip, total } from "../../src/clicks/listing/clickTotals.ts"
import * as TestDatabase from "../TestDatabase.ts"

// Limits so low that a few hundred clicks exceed some in one step and others in several.
const lowLimits = SqlClient.SqlClient.use((sql) =>
  Effect.all([
    sql`create or replace function click_limit(level integer) returns integer language sql immutable
      as $$ select case level when 7 then 2147483647 when 1 then 4 else 12 end $$`,
    sql`create or replace function click_part_limit(level integer) returns integer language sql immutable
      as $$ select case level when 0 then 5 else 3 end $$`,
    sql`create or replace function click_pairing_limit(clicks bigint) returns bigint language sql immutable
      as $$ select 15::bigint $$`
  ])
)

const connected = Layer.effectDiscard(lowLimits).pipe(Layer.provideMerge(TestDatabase.layer))

const end = Date.UTC(2026, 2, 7, 5, 59, 10, 900)
const second = 1000
const hour = 3600 * second
const day = 24 * hour

/** The range of time of clicks that arrive together, all before one end: one instant, a burst, an import of years. */
const Spread = Schema.Literals([1, second / 4, 20 * second, 3600 * second, 5 * day, 900 * day])

const Arrival = Schema.Struct({
  spread: Spread,
  clicks: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 400 })),
  step: Schema.Literals([1, 30, 150, 100_000]),
  steps: Schema.Literals([1, 2, 20]),
  deleted: Schema.Literals([0, 0, 3])
})

const insert = ({ clicks, spread }: Pick<typeof Arrival.Type, "clicks" | "spread">) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      insert into clicks (id, product_id, action, source, store_id, brand_id, campaign_id, device_type, occurred_at, received_at)
      select gen_random_uuid(), 'p-' || floor(40 * random() ^ 4), (array['view', 'compare', 'other'])[1 + floor(3 * random())::integer],
        case when random() < 0.7 then 'web' else 'app' end, 's-' || floor(9 * random() ^ 3),
        case when random() < 0.5 then 'b-' || floor(5 * random() ^ 2) end, case when random() < 0.7 then 'c-' || floor(4 * random() ^ 2) end,
        'desktop', ${new Date(end)}::timestamptz - floor(random() * ${spread}::double precision) * interval '1 millisecond', now()
      from generate_series(1, ${clicks}::integer)`
  )

const count = Effect.fnUntraced(function* (arrival: typeof Arrival.Type) {
  const sql = yield* SqlClient.SqlClient
  yield* insert(arrival)
  for (let steps = 0; steps < arrival.steps; steps++)
    yield* sql`select roll_up_clicks(${arrival.step}::integer)`
  if (arrival.deleted > 0)
    yield* sql`delete from clicks where hashtext(id::text) % ${arrival.deleted}::integer = 0`
})

const insertEvery = (millis: number, clicks: number, product: string, first: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      insert into clicks (id, product_id, action, source, device_type, occurred_at, received_at)
      select gen_random_uuid(), ${product}, 'view', 'web', 'desktop', ${new Date(first)}::timestamptz + n * ${millis}::integer * interval '1 millisecond', now()
      from generate_series(0, ${clicks - 1}::integer) as n`
  )

const countAll = SqlClient.SqlClient.use((sql) => sql`select roll_up_clicks(100)`)

const Sought = Schema.Struct({
  product_id: Schema.NullOr(Schema.Literals(["p-0", "p-1", "p-3", "p-9", "p-none"])),
  store_id: Schema.NullOr(Schema.Literals(["s-0", "s-1", "s-5"])),
  brand_id: Schema.NullOr(Schema.Literals(["b-0"])),
  campaign_id: Schema.NullOr(Schema.Literals(["c-0"])),
  source: Schema.NullOr(Schema.Literals(["web", "app"])),
  action: Schema.NullOr(Schema.Literals(["view"])),
  spread: Spread,
  from: Schema.NullOr(Schema.Literals([0, 0.1, 0.55])),
  to: Schema.NullOr(Schema.Literals([0.13, 0.6, 1]))
})

const toFilter = ({ from, spread, to, ...equal }: typeof Sought.Type): ClickFilter => ({
  ...Object.fromEntries(Object.entries(equal).filter(([, value]) => value !== null)),
  ...(from !== null && { from: new Date(end - Math.floor((1 - from) * spread)) }),
  ...(to !== null && { to: new Date(end - Math.floor((1 - to) * spread)) })
})

const assertExact = Effect.fnUntraced(function* (filter: ClickFilter, offset: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ counts: number; rows: number; skipped: number; passed: number }>`
    select ${total(sql, filter)} as counts, (select count(*)::double precision from clicks where ${matches(sql, filter)}) as rows,
      skipped::double precision as skipped,
      (select count(*)::double precision from clicks where ${matches(sql, filter)} and occurred_at >= before) as passed
    from ${skip(sql, filter, offset)}`
  assert.strictEqual(row?.counts, row?.rows, JSON.stringify(filter))
  assert.strictEqual(row?.skipped, row?.passed, JSON.stringify(filter))
})

layer(connected, { excludeTestServices: true })("totals", (it) => {
  it.effect.prop(
    "are exact while bursts and imports of all ranges are counted in small and large steps",
    [
      Arbitrary.array(Arbitrary.schema(Arrival), { minLength: 2, maxLength: 5 }),
      Arbitrary.array(Arbitrary.schema(Sought), { minLength: 20, maxLength: 20 })
    ],
    ([arrivals, soughts]) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`truncate clicks`
        for (const arrival of arrivals) yield* count(arrival)
        for (const [index, sought] of soughts.entries()) yield* assertExact(toFilter(sought), index * 37)
      }),
    { arbitrary: { runs: 30 } }
  )

  it.effect("are exact between the slices of a step", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`truncate clicks`
      yield* insert({ clicks: 400, spread: 5 * day })
      yield* countAll
      const isAsleep = sql`
        select from pg_stat_activity
        where datname = current_database() and query like '%as sliced' and wait_event = 'PgSleep'`
      let looks = 0
      // A step counts only clicks that are older than every open transaction of the server, which other tests share.
      while (looks === 0) {
        yield* insert({ clicks: 2000, spread: 5 * day })
        const step = yield* Effect.forkChild(sql`select roll_up_clicks(2000, 8) as sliced`)
        while (step.pollUnsafe() === undefined) {
          if ((yield* isAsleep).length > 0) yield* assertExact({ product_id: `p-${looks++}` }, 5)
        }
        yield* Fiber.join(step)
      }
      for (const product_id of ["p-0", "p-1", "p-9"]) yield* assertExact({ product_id }, 5)
    })
  )

  it.effect("are counted even if the machine was suspended within a slice", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const resumed = sql`
        select set_config('clicks.rest', '2', true),
          set_config('clicks.resumed', extract(epoch from clock_timestamp() - interval '1 hour')::text, true)`
      const yielded = sql`select click_yield() as yielded`
      yield* sql`set local statement_timeout = '20s'`.pipe(
        Effect.andThen(resumed),
        Effect.andThen(yielded),
        sql.withTransaction
      )
    })
  )

  it.effect("are exact for a value that becomes frequent long after its first clicks", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`truncate clicks`
      yield* insertEvery(hour, 5, "p-late", end - 500 * day)
      yield* countAll
      yield* insertEvery(hour, 5, "p-late", end - 500 * day + 5 * hour)
      yield* countAll
      yield* insertEvery(hour, 5, "p-late", end)
      yield* countAll
      const from = new Date(end - 500 * day + 3 * hour)
      const to = new Date(end - 500 * day + 7 * hour)
      yield* assertExact({ product_id: "p-late", from }, 2)
      yield* assertExact({ product_id: "p-late", to }, 2)
      yield* assertExact({ product_id: "p-late", source: "web", from, to }, 2)
    })
  )

  it.effect("are exact for seconds within an hour whose first clicks were spread out", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const first = Date.UTC(2026, 2, 7, 5)
      const minute = 60 * second
      yield* sql`truncate clicks`
      yield* insertEvery(3 * minute, 19, "p-other", first)
      yield* insertEvery(5 * second, 6, "p-slow", first + 58 * minute)
      yield* countAll
      yield* insertEvery(100, 7, "p-slow", first + 58 * minute + 40 * second)
      yield* countAll
      const from = new Date(first + 58 * minute + 12 * second)
      yield* assertExact({ product_id: "p-slow", from }, 2)
    })
  )
})
