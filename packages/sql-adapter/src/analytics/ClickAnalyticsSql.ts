import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import { ClickAnalyticsError } from "@clicks/core/analytics/ClickAnalyticsError"
import type { CountRows } from "@clicks/core/analytics/ClickCounts"
import { currentWeek, toCohorts } from "@clicks/core/analytics/Cohorts"
import { countFunnels } from "@clicks/core/analytics/countFunnels"
import { countGroups } from "@clicks/core/analytics/countGroups"
import { toVisitorBuckets } from "@clicks/core/analytics/VisitorBuckets"
import { type ClickFilter, equalityFields } from "@clicks/core/clicks/ClickFilter"
import { Effect, Layer, Semaphore } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { transaction } from "../transaction.ts"
import { ChunkCache } from "./chunks/ChunkCache.ts"
import type { ClickChunks } from "./chunks/ClickChunks.ts"
import { countChunks } from "./chunks/countChunks.ts"
import { openChunks, type Subject } from "./chunks/openChunks.ts"
import { countPairs } from "./chunks/pairs/countPairs.ts"
import { countCohorts, countVisitors } from "./chunks/visitors/visitorsOfChunks.ts"

const toClickAnalyticsError = (operation: string) => (cause: SqlError.SqlError) =>
  new ClickAnalyticsError({ operation, reason: "Unavailable", cause })

/** Selects all clicks, not only those that match, because they determine which visitors are new. */
const whole = (filter: ClickFilter): Subject => ({
  filter,
  fields: equalityFields.filter((field) => filter[field] !== undefined),
  visitors: true,
  isWhole: true
})

// A screen of the dashboard sends up to four requests at once. More would use more memory, and the connections that recording needs.
const atOnce = 4

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const readOnly = sql`set transaction isolation level repeatable read, read only`
  // The planner knows nothing about the clicks that wait to be counted. A hash join is suitable however many they are.
  const planned = sql`select set_config('jit', 'off', true), set_config('work_mem', '64MB', true), set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true)`

  const turns = yield* Semaphore.make(atOnce)

  /** All statements of a request read one snapshot. */
  const inSnapshot = <A>(
    operation: string,
    effect: Effect.Effect<A, ClickAnalyticsError | SqlError.SqlError>
  ): Effect.Effect<A, ClickAnalyticsError> =>
    transaction(sql, readOnly.pipe(Effect.andThen(planned), Effect.andThen(effect))).pipe(
      turns.withPermit,
      Effect.catchTag("SqlError", (error) => Effect.fail(toClickAnalyticsError(operation)(error))),
      Effect.withSpan(`ClickAnalytics.${operation}`)
    )

  const cache = new ChunkCache()

  const withChunks = <A>(
    operation: string,
    subject: Subject,
    count: (chunks: ClickChunks) => Effect.Effect<A, ClickAnalyticsError | SqlError.SqlError>
  ) => inSnapshot(operation, Effect.flatMap(openChunks(sql, cache, subject), count))

  const answer = <A>(
    operation: string,
    subject: Subject,
    count: (rows: CountRows) => Effect.Effect<A, ClickAnalyticsError>
  ) =>
    withChunks(operation, subject, (chunks) => {
      const rows = countChunks(chunks)
      return count((request) => Effect.mapError(rows(request), toClickAnalyticsError(operation)))
    })

  return ClickAnalytics.of({
    groups: (query) =>
      answer("groups", { ...query, fields: query.groupBy }, (rows) => countGroups(query, rows)),
    funnel: (query) =>
      answer("funnel", { ...query, fields: [query.groupBy] }, (rows) => countFunnels(query, rows)),
    visitors: (query) =>
      toVisitorBuckets(
        query,
        withChunks("visitors", whole(query.filter), (chunks) => countVisitors(chunks, query))
      ),
    cohorts: (query) =>
      Effect.flatMap(currentWeek(query), (last) =>
        withChunks("cohorts", whole(query.filter), (chunks) =>
          Effect.map(countCohorts(chunks, query, last), (rows) => toCohorts(rows, last))
        )
      ),
    pairs: (query) => {
      const subject = { filter: query.filter, fields: ["product_id"], visitors: true, sessions: true }
      return withChunks("pairs", subject, (chunks) => countPairs(chunks, query))
    }
  })
})

/** Counts from clicks by column. */
export const layer: Layer.Layer<ClickAnalytics, never, SqlClient.SqlClient> = Layer.effect(
  ClickAnalytics,
  make
)
