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
import { countRows } from "./countRows.ts"
import { countCohorts, countPairs, countVisitors } from "./visitorRows.ts"

// Texts are checked before they come here, so the only value that the server can refuse is the time zone.
const toClickAnalyticsError = (operation: string) => (cause: SqlError.SqlError) =>
  new ClickAnalyticsError({ operation, reason: isRefused(cause) ? "UnknownTimeZone" : "Unavailable", cause })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const readOnly = sql`set transaction isolation level repeatable read, read only`

  /** All statements of an answer see one snapshot. */
  const inSnapshot = <A>(
    operation: string,
    effect: Effect.Effect<A, ClickAnalyticsError | SqlError.SqlError>
  ): Effect.Effect<A, ClickAnalyticsError> =>
    transaction(sql, Effect.andThen(readOnly, effect)).pipe(
      Effect.catchTag("SqlError", (error) => Effect.fail(toClickAnalyticsError(operation)(error))),
      Effect.withSpan(`ClickAnalytics.${operation}`)
    )

  const counted = (operation: string): CountRows => {
    const count = countRows(sql)
    return (request) => Effect.mapError(count(request), toClickAnalyticsError(operation))
  }

  return ClickAnalytics.of({
    groups: (query) => inSnapshot("groups", countGroups(query, counted("groups"))),
    funnel: (query) => inSnapshot("funnel", countFunnels(query, counted("funnel"))),
    visitors: (query) =>
      inSnapshot("visitors", countVisitors(sql, query)).pipe(
        Effect.flatMap(({ rows, total }) => toVisitorBuckets(query, rows, total))
      ),
    cohorts: (query) => inSnapshot("cohorts", Effect.map(countCohorts(sql, query), toCohorts)),
    pairs: (query) => inSnapshot("pairs", countPairs(sql, query))
  })
})

/** Counts the rows of the table `clicks`, each time anew. */
export const layer: Layer.Layer<ClickAnalytics, never, SqlClient.SqlClient> = Layer.effect(
  ClickAnalytics,
  make
)
