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
import { isRefused } from "../sqlErrors.ts"
import { transaction } from "../transaction.ts"
import { ChunkCache } from "./chunks/ChunkCache.ts"
import type { ClickChunks } from "./chunks/ClickChunks.ts"
import { countChunks } from "./chunks/countChunks.ts"
import { openChunks, type Subject } from "./chunks/openChunks.ts"
import { countCohorts, countVisitors } from "./chunks/visitors/visitorsOfChunks.ts"
import { countPairs } from "./pairRows.ts"

// Texts are checked before they come here, so the only value that the server can refuse is the time zone.
const toClickAnalyticsError = (operation: string) => (cause: SqlError.SqlError) =>
  new ClickAnalyticsError({ operation, reason: isRefused(cause) ? "UnknownTimeZone" : "Unavailable", cause })

/** All clicks: who is new depends on them, not on those that match. */
const whole = (filter: ClickFilter): Subject => ({
  filter,
  fields: equalityFields.filter((field) => filter[field] !== undefined),
  visitors: true,
  isWhole: true
})

// A screen of the dashboard sends up to four requests at once. More would take memory, and the connections that recording needs.
const atOnce = 4

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const readOnly = sql`set transaction isolation level repeatable read, read only`
  // Nothing is known of the clicks that wait to be counted: a hash join is right however many they are.
  const planned = sql`select set_config('jit', 'off', true), set_config('work_mem', '64MB', true), set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true)`

  const turns = yield* Semaphore.make(atOnce)

  /** All statements of an answer see one snapshot. */
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
    pairs: (query) => inSnapshot("pairs", countPairs(sql, query))
  })
})

/** Counts from clicks by column; pairs from the rows of the table `clicks`. */
export const layer: Layer.Layer<ClickAnalytics, never, SqlClient.SqlClient> = Layer.effect(
  ClickAnalytics,
  make
)
