import type { AnalyticsQuery } from "@clicks/core/analytics/AnalyticsQuery"
import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import { earlierPeriod } from "@clicks/core/analytics/Comparison"
import { toVisitorBuckets } from "@clicks/core/analytics/VisitorBuckets"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Arbitrary, Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { arbitraryClick } from "../../../core/test/contract/analytics/arbitraryAnalytics.ts"
import { expectedGroups } from "../../../core/test/contract/analytics/recount.ts"
import { countPairs, countVisitors } from "../../../core/test/contract/analytics/visitorsInMemory.ts"
import * as ClickAnalyticsSql from "../../src/analytics/ClickAnalyticsSql.ts"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import { countAll } from "../clicks/countAll.ts"
import * as TestDatabase from "../TestDatabase.ts"

const storage = Layer.merge(ClickAnalyticsSql.layer, ClickStoreSql.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const query = {
  filter: {},
  groupBy: ["store_id", "visitor_city"],
  axis: { interval: "month", timeZone: "UTC" },
  ranking: { sort: "view", descending: true, without: [] },
  pivot: true,
  totals: true,
  visitors: true,
  limit: 10
} as const

/** Clicks, many of which differ only in their ids. */
const severalClicks = Effect.map(Arbitrary.sampleEffect(arbitraryClick, { count: 60, seed: 7 }), (clicks) =>
  [1, 2, 3].flatMap(() => clicks.map((click) => ({ ...click, id: Uuid.make(0) })))
)

const together = { filter: {}, timeZone: "UTC", limit: 10 } as const

const byMonth = { filter: {}, axis: query.axis } as const

const expectedVisitors = (clicks: ReadonlyArray<ClickEvent>) =>
  toVisitorBuckets(byMonth, Effect.succeed(countVisitors(clicks, byMonth)))

const everyThird = (clicks: ReadonlyArray<ClickEvent>, remainder: number) =>
  clicks.filter((_, index) => index % 3 === remainder)

layer(storage)("chunks", (it) => {
  it.effect("contain the remaining clicks after some were deleted, and none after all were", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { groups, pairs, visitors } = yield* ClickAnalytics
      const clicks = yield* severalClicks
      for (const part of [0, 1, 2]) {
        yield* ClickStore.use((store) => store.insert(everyThird(clicks, part)))
        yield* countAll
      }
      assert.deepStrictEqual(yield* groups(query), expectedGroups(clicks, query))
      assert.deepStrictEqual(yield* visitors(byMonth), yield* expectedVisitors(clicks))

      const gone = new Set([...everyThird(clicks, 1), ...clicks.slice(0, 50)].map(({ id }) => id))
      yield* sql`delete from clicks where ${sql.in("id", Array.from(gone))}`
      const left = clicks.filter(({ id }) => !gone.has(id))
      assert.deepStrictEqual(yield* groups(query), expectedGroups(left, query))
      assert.deepStrictEqual(yield* visitors(byMonth), yield* expectedVisitors(left))
      assert.deepStrictEqual(yield* pairs(together), countPairs(left, together))

      yield* sql`delete from clicks`
      const [chunks] = yield* sql<{
        readonly count: number
      }>`select count(*)::integer as count from click_chunks`
      assert.strictEqual(chunks?.count, 0)
      assert.deepStrictEqual(yield* groups(query), expectedGroups([], query))
    })
  )

  it.effect("are counted without reading rows, and merged as they grow", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { groups } = yield* ClickAnalytics
      const clicks = (yield* severalClicks).map((click) => ({
        ...click,
        occurred_at: new Date("2026-03-02T12:00:00Z")
      }))
      for (let first = 0; first < clicks.length; first += 10) {
        yield* ClickStore.use((store) => store.insert(clicks.slice(first, first + 10)))
        yield* countAll
      }
      const [chunks] = yield* sql<{
        readonly count: number
      }>`select count(*)::integer as count from click_chunks`
      assert.isAtMost(chunks?.count ?? 0, 5)

      // The trigger would remove the clicks from the chunks.
      yield* sql`alter table clicks disable trigger user`
      yield* sql`delete from clicks`
      yield* sql`alter table clicks enable trigger user`
      assert.deepStrictEqual(yield* groups(query), expectedGroups(clicks, query))
      yield* sql`truncate clicks`
      assert.deepStrictEqual(yield* groups(query), expectedGroups([], query))
    })
  )

  // PostgreSQL's seconds, times 1,000, are later than the first time and earlier than the second.
  it.effect("count clicks exactly at the ends of a range", () =>
    Effect.gen(function* () {
      const { groups } = yield* ClickAnalytics
      const [template] = yield* severalClicks
      const [first, last] = [new Date(2_151_792_007_919), new Date(2_151_792_015_838)]
      const clicks = [first, last].map((occurred_at) => ({
        ...(template as ClickEvent),
        id: Uuid.make(0),
        source: "ends",
        occurred_at
      }))
      yield* ClickStore.use((store) => store.insert(clicks))
      yield* countAll
      for (const range of [{ to: first }, { from: last }]) {
        const asked = { ...query, filter: { ...range, source: "ends" } }
        assert.strictEqual((yield* groups(asked)).totals?.clicks, 1)
      }
      yield* SqlClient.SqlClient.use((sql) => sql`delete from clicks`)
    })
  )

  it.effect("give as many visitors of a hundred products as uncounted clicks", () =>
    Effect.gen(function* () {
      const analytics = yield* ClickAnalytics
      const clicks = (yield* severalClicks).map((click, index) => ({
        ...click,
        product_id: `p-${index % 100}`,
        visitor_id: `v-${(index * 7) % 40}`,
        occurred_at: new Date(Date.UTC(2026, 2, 1 + (index % 50)))
      }))
      const { axis: _, ...ranking } = { ...query, groupBy: ["product_id"] as const }
      const axis = { interval: "week", timeZone: "UTC" } as const
      // The visitors are in slices that are counted separately.
      const isEarly = ({ visitor_id }: ClickEvent) => visitor_id !== null && visitor_id < "v-2"
      yield* ClickStore.use((store) => store.insert(clicks.filter(isEarly)))
      yield* countAll
      yield* SqlClient.SqlClient.use((sql) => sql`select setval('click_visitors_id_seq', 200000)`)
      const all = Effect.all([
        analytics.groups(ranking),
        analytics.visitors({ filter: { action: "view" }, axis }),
        analytics.cohorts({ filter: {}, timeZone: "UTC" })
      ])
      yield* ClickStore.use((store) => store.insert(clicks.filter((click) => !isEarly(click))))
      const uncounted = yield* all
      yield* countAll
      assert.deepStrictEqual(yield* all, uncounted)
      assert.deepStrictEqual(uncounted[0], expectedGroups(clicks, ranking))
    })
  )

  // The clicks fill two chunks. Berlin's clocks change in the second one.
  it.effect("give the same results for thousands of clicks before and after counting", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const analytics = yield* ClickAnalytics
      yield* sql`
        insert into clicks (id, product_id, store_id, action, source, device_type, visitor_id, occurred_at, received_at)
        select gen_random_uuid(), 'p-' || i % 400, 's-' || i % 3, (array['view', 'open_store', 'compare'])[1 + i % 3], 'many', 'desktop',
          'v-' || i % 700, at, at
        from generate_series(0, 11999) as i, lateral (select timestamptz '2025-09-30 00:00:01Z' + i * interval '5 minutes' as at) as time`
      const timeZone = "Europe/Berlin"
      const range = { from: new Date("2025-10-25T22:00:00Z"), to: new Date("2025-11-02T22:59:59.999Z") }
      // Compared with the period before this range, quarters of an hour of the first chunk lie on two days; those of the second do not.
      const odd = { ...range, from: new Date("2025-10-21T14:07:03Z") }
      const { axis: _, ...plain } = { ...query, groupBy: ["product_id"] as const, filter: { source: "many" } }
      const day = { interval: "day", timeZone } as const
      const asked: ReadonlyArray<AnalyticsQuery> = [
        { ...plain, earlier: earlierPeriod(range, "previous", timeZone), filter: range },
        { ...plain, groupBy: [], axis: { interval: "hour-of-week", timeZone } },
        { ...plain, groupBy: ["store_id"], axis: day, filter: { ...plain.filter, product_id: "p-300" } },
        {
          ...plain,
          groupBy: ["store_id"],
          axis: day,
          earlier: earlierPeriod(odd, "previous", timeZone),
          filter: odd
        }
      ]
      const all = Effect.all([
        ...asked.map((one) => analytics.groups(one)),
        analytics.visitors({ filter: range, axis: { interval: "hour", timeZone } })
      ])
      const waiting = yield* all
      yield* countAll
      assert.deepStrictEqual(yield* all, waiting)
      yield* sql`delete from clicks where source = 'many'`
    })
  )

  it.effect("are complemented by waiting clicks, however long their texts are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { groups } = yield* ClickAnalytics
      // 17 MiB; each byte is sent as two.
      yield* sql`
        insert into clicks (id, product_id, action, source, device_type, occurred_at, received_at)
        select gen_random_uuid(), i || repeat('"', 60000), 'view', 'long', 'desktop', now(), now() from generate_series(1, 300) as i`
      const { axis: _, ...plain } = query
      const asked: AnalyticsQuery = {
        ...plain,
        filter: { source: "long" },
        groupBy: ["product_id"],
        limit: 1
      }
      const { total, totals } = yield* groups(asked)
      assert.deepStrictEqual([total, totals?.clicks], [300, 300])
      yield* sql`delete from clicks`
    })
  )

  it.effect("leave connections to recording while many requests wait for the database", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { groups } = yield* ClickAnalytics
      const clicks = yield* severalClicks
      const isLocked = yield* Deferred.make<void>()
      const isOver = yield* Deferred.make<void>()
      const lock = sql`lock table click_rollup in access exclusive mode`
      yield* Effect.forkChild(
        sql.withTransaction(
          lock.pipe(
            Effect.andThen(Deferred.succeed(isLocked, undefined)),
            Effect.andThen(Deferred.await(isOver))
          )
        )
      )
      yield* Deferred.await(isLocked)
      const asked = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 12 }, () => groups(query)),
          { concurrency: "unbounded" }
        )
      )
      const waiting = sql<{ readonly count: number }>`
        select count(*)::integer as count from pg_locks where relation = 'click_rollup'::regclass and not granted`
      yield* Effect.repeat(waiting, { until: ([row]) => row?.count === 4 }).pipe(
        Effect.andThen(ClickStore.use((store) => store.insert(clicks))),
        Effect.timeout("20 seconds"),
        TestClock.withLive,
        Effect.ensuring(Deferred.succeed(isOver, undefined))
      )
      assert.lengthOf(yield* Fiber.join(asked), 12)
    })
  )
})
