import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import { ClickAnalyticsError } from "@clicks/core/analytics/ClickAnalyticsError"
import type { CountRows } from "@clicks/core/analytics/ClickCounts"
import { toCohorts } from "@clicks/core/analytics/Cohorts"
import { countFunnels } from "@clicks/core/analytics/countFunnels"
import { countGroups } from "@clicks/core/analytics/countGroups"
import { toVisitorBuckets } from "@clicks/core/analytics/VisitorBuckets"
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isRefused } from "../sqlErrors.ts"
import { transaction } from "../transaction.ts"
import { ChunkCache } from "./chunks/ChunkCache.ts"
import { countChunks } from "./chunks/countChunks.ts"
import { openChunks, type Subject } from "./chunks/openChunks.ts"
import { countCohorts, countPairs, countVisitors } from "./visitorRows.ts"

// Texts are checked before they come here, so the only value that the server can refuse is the time zone.
const toClickAnalyticsError = (operation: string) => (cause: SqlError.SqlError) =>
  new ClickAnalyticsError({ operation, reason: isRefused(cause) ? "UnknownTimeZone" : "Unavailable", cause })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const readOnly = sql`set transaction isolation level repeatable read, read only`
  // Nothing is known of the clicks that wait to be counted: a hash join is right however many they are.
  const planned = sql`select set_config('jit', 'off', true), set_config('work_mem', '64MB', true), set_config('plan_cache_mode', 'force_custom_plan', true),
    set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true)`

  /** All statements of an answer see one snapshot. */
  const inSnapshot = <A>(
    operation: string,
    effect: Effect.Effect<A, ClickAnalyticsError | SqlError.SqlError>
  ): Effect.Effect<A, ClickAnalyticsError> =>
    transaction(sql, Effect.andThen(readOnly, effect)).pipe(
      Effect.catchTag("SqlError", (error) => Effect.fail(toClickAnalyticsError(operation)(error))),
      Effect.withSpan(`ClickAnalytics.${operation}`)
    )

  const cache = new ChunkCache()

  const answer = <A>(
    operation: string,
    subject: Subject,
    count: (rows: CountRows) => Effect.Effect<A, ClickAnalyticsError>
  ) =>
    inSnapshot(
      operation,
      Effect.flatMap(Effect.andThen(planned, openChunks(sql, cache, subject)), (chunks) => {
        const rows = countChunks(chunks)
        return count((request) => Effect.mapError(rows(request), toClickAnalyticsError(operation)))
      })
    )

  return ClickAnalytics.of({
    groups: (query) =>
      answer("groups", { ...query, fields: query.groupBy }, (rows) => countGroups(query, rows)),
    funnel: (query) =>
      answer("funnel", { ...query, fields: [query.groupBy] }, (rows) => countFunnels(query, rows)),
    visitors: (query) =>
      inSnapshot("visitors", countVisitors(sql, query)).pipe(
        Effect.flatMap(({ rows, total }) => toVisitorBuckets(query, rows, total))
      ),
    cohorts: (query) => inSnapshot("cohorts", Effect.map(countCohorts(sql, query), toCohorts)),
    pairs: (query) => inSnapshot("pairs", countPairs(sql, query))
  })
})

/** Counts from clicks by column; new visitors, cohorts and pairs from the rows of the table `clicks`. */
export const layer: Layer.Layer<ClickAnalytics, never, SqlClient.SqlClient> = Layer.effect(
  ClickAnalytics,
  make
)
