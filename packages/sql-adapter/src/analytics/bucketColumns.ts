import type { TimeAxis } from "@clicks/core/analytics/Interval"
import type { SqlClient, Statement } from "effect/sql"

/** What clicks of one bucket (`bucketStart` in core) have in common: hours as instants, all else as local dates. */
export const bucketLabel = (
  sql: SqlClient.SqlClient,
  { interval, timeZone }: TimeAxis
): Statement.Fragment =>
  interval === "hour"
    ? sql`date_trunc('hour', occurred_at, ${timeZone}::text)`
    : sql`date_trunc(${interval}::text, occurred_at at time zone ${timeZone}::text)`

/**
 * The instant at which a bucket begins, from its label in the column `label`.
 *
 * Of a midnight that comes twice the server takes the second, of one that is skipped the change of the clock. The first is
 * found as the day before plus 24 hours, where the clock does show midnight then.
 */
export const bucketStart = (
  sql: SqlClient.SqlClient,
  { interval, timeZone }: TimeAxis
): Statement.Fragment => {
  if (interval === "hour") return sql`label`
  const zone = sql`at time zone ${timeZone}::text`
  const first = sql`((label - interval '1 day') ${zone} + interval '24 hours')`
  return sql`least(label ${zone}, case when ${first} ${zone} = label then ${first} end)`
}
