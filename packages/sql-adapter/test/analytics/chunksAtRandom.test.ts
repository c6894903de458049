import type { AnalyticsQuery } from "@clicks/core/analytics/AnalyticsQuery"
import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import type { ClickAnalyticsError } from "@clicks/core/analytics/ClickAnalyticsError"
import { earlierPeriod } from "@clicks/core/analytics/Comparison"
import type { Axis } from "@clicks/core/analytics/Interval"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { type ClickFilter, matches } from "@clicks/core/clicks/ClickFilter"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Arbitrary, Effect, Layer, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import {
  arbitraryAnalyticsQuery,
  arbitraryClick,
  arbitraryVisitorQuery
} from "../../../core/test/contract/analytics/arbitraryAnalytics.ts"
import { at } from "../../../core/test/contract/analytics/atTime.ts"
import * as ClickAnalyticsMemory from "../../../core/test/contract/analytics/ClickAnalyticsMemory.ts"
import * as ClickAnalyticsSql from "../../src/analytics/ClickAnalyticsSql.ts"
import { ChunkCache } from "../../src/analytics/chunks/ChunkCache.ts"
import { openChunks } from "../../src/analytics/chunks/openChunks.ts"
import { countPairs } from "../../src/analytics/chunks/pairs/countPairs.ts"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import { countAll } from "../clicks/countAll.ts"
import * as TestDatabase from "../TestDatabase.ts"

const storage = Layer.merge(ClickAnalyticsSql.layer, ClickStoreSql.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

const quarter = 900_000

// 2038: PostgreSQL's seconds times 1,000 are not always whole milliseconds. The clocks of Berlin change on 28 March, those of Lord Howe on 4 April.
const firstInstant = Date.parse("2038-03-08T00:00:00Z")
const lastInstant = Date.parse("2038-04-24T00:00:00Z")

/** A random number from 0 to 1 for each position. */
const noise = (position: number): number => {
  const value = Math.sin(position * 12.9898) * 43_758.5453
  return value - Math.floor(value)
}

const instantAt = (position: number): number => {
  const instant = Math.floor(firstInstant + noise(position) * (lastInstant - firstInstant))
  return position % 5 === 0 ? Math.floor(instant / quarter) * quarter : instant
}

/** Clicks in two bins with few values, except for 300 products, and visitors some of whom have hundreds of clicks. */
const makeClicks = (count: number, templates: ReadonlyArray<ClickEvent>): ReadonlyArray<ClickEvent> =>
  Array.from({ length: count }, (_, position): ClickEvent => {
    const template = templates[position % templates.length] as ClickEvent
    const visitor = Math.floor(600 * noise(position + 0.5) ** 2)
    return {
      ...template,
      id: Uuid.make(0),
      product_id: `p-${Math.floor(300 * noise(position + 0.25) ** 2)}`,
      visitor_id: position % 10 === 0 ? template.visitor_id : `v-${visitor}`,
      session_id: position % 4 === 0 ? `s-${Math.floor(3 * noise(position + 0.75))}` : null,
      occurred_at: new Date(instantAt(position))
    }
  })

const Ends = Schema.Struct({
  positions: Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 7999 }))).check(
    Schema.isMinLength(2),
    Schema.isMaxLength(2)
  ),
  away: Schema.Literals([0, 0, 1, -1]),
  open: Schema.Literals(["none", "none", "from", "to"]),
  comparison: Schema.optionalKey(Schema.Literals(["previous", "year"])),
  timeZone: Schema.Literals(["Europe/Berlin", "Australia/Lord_Howe", "UTC", "Asia/Kathmandu"])
})

type Asked = typeof arbitraryVisitorQuery extends Arbitrary.Arbitrary<infer A> ? A : never
type Ends = typeof Ends.Type

/** Queries of one range, which begins and ends at clicks or next to them. */
const queriesOf = (ends: Ends, asked: AnalyticsQuery, { axis, limit, ...visitors }: Asked) => {
  const { away, comparison, open, positions, timeZone } = ends
  const [from = 0, to = 0] = positions.map(instantAt).sort((a, b) => a - b)
  const range = { from: new Date(from + away), to: new Date(Math.max(from + away, to)) }
  const ranged = ({ from: _, to: __, ...equal }: ClickFilter): ClickFilter => ({
    ...equal,
    ...(open !== "from" && { from: range.from }),
    ...(open !== "to" && { to: range.to })
  })
  const { axis: groupAxis, earlier: _, ...rest } = asked
  const isCompared = comparison !== undefined && open === "none"
  const filter = ranged(visitors.filter)
  const { product_id: __, ...others } = filter
  const [first = 0] = positions
  return {
    groups: {
      ...rest,
      ...(isCompared && { earlier: earlierPeriod(range, comparison, timeZone) }),
      ...(groupAxis && { axis: { ...groupAxis, timeZone } as Axis }),
      filter: ranged(asked.filter)
    },
    visitors: { filter, axis: { interval: axis.interval, timeZone } },
    cohorts: { filter, timeZone },
    pairs: { filter: others, ...(first % 2 === 0 && { product_id: `p-${first % 40}` }), timeZone, limit }
  }
}

const answersOf = (analytics: ClickAnalytics["Service"], queries: ReturnType<typeof queriesOf>) => {
  const orReason = <A>(answer: Effect.Effect<A, ClickAnalyticsError>) =>
    Effect.catchTag(answer, "ClickAnalyticsError", ({ reason }) => Effect.succeed(reason))
  return at(
    "2038-04-20T12:00Z",
    Effect.all(
      {
        groups: orReason(analytics.groups(queries.groups)),
        visitors: orReason(analytics.visitors(queries.visitors)),
        cohorts: orReason(analytics.cohorts(queries.cohorts)),
        pairs: orReason(analytics.pairs(queries.pairs))
      },
      { concurrency: "unbounded" }
    )
  )
}

layer(storage, { timeout: "60 seconds" })("large and small chunks", (it) => {
  let clicks: ReadonlyArray<ClickEvent> = []
  const inMemory = ClickAnalyticsMemory.make({
    stream: (filter) =>
      Stream.suspend(() => Stream.fromIterable(clicks.filter((click) => matches(filter, click))))
  })

  it.effect("are formed", () =>
    Effect.gen(function* () {
      const templates = yield* Arbitrary.sampleEffect(arbitraryClick, { count: 200, seed: 3 })
      clicks = makeClicks(9000, templates)
      const sql = yield* SqlClient.SqlClient
      // The last clicks are not counted by any step.
      for (const [first, end] of [
        [0, 6500],
        [6500, 7500],
        [7500, 8800],
        [8800, 9000]
      ] as const) {
        if (first > 0) yield* countAll
        // Some ids of visitors exceed 16 bits.
        yield* sql`select setval('click_visitors_id_seq', greatest(65000, (select last_value from click_visitors_id_seq)))`
        for (let part = first; part < end; part += 1000)
          yield* ClickStore.use((store) => store.insert(clicks.slice(part, Math.min(end, part + 1000))))
      }
      const sizes = yield* sql<{ readonly n: number }>`select n from click_chunks`
      assert.isTrue(sizes.some(({ n }) => n > 4773) && sizes.some(({ n }) => n < 4773), JSON.stringify(sizes))
    })
  )

  it.effect("give the same pairs however many clicks are grouped at once", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const asked = { filter: {}, timeZone: "Europe/Berlin", limit: 100_000 }
      const subject = { filter: {}, fields: ["product_id"], visitors: true, sessions: true }
      const chunks = yield* openChunks(sql, new ChunkCache(), subject)
      const expected = yield* ClickAnalytics.use(({ pairs }) => pairs(asked))
      assert.deepStrictEqual(yield* countPairs(chunks, asked, 500), expected)
      assert.isAbove(expected.total, 1000)
    })
  )

  it.effect.prop(
    "give the same results as counting in memory",
    [Arbitrary.schema(Ends), arbitraryAnalyticsQuery, arbitraryVisitorQuery],
    ([ends, groups, visitors]) =>
      Effect.gen(function* () {
        const queries = queriesOf(ends, groups, visitors)
        const expected = yield* answersOf(inMemory, queries)
        assert.deepStrictEqual(yield* answersOf(yield* ClickAnalytics, queries), expected)
      }),
    { arbitrary: { runs: 6 } }
  )
})
