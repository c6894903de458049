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

/** Who clicked (`visitor` in core) as columns: the same visitor, the same three values. */
export const visitorColumns = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`user_id,
      case when user_id is null then ip_address end as ip_address,
      case when user_id is null then user_agent end as user_agent`

/** The clicks of rows that identify no visitor. */
export const unidentifiedClicks = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`coalesce(sum(clicks) filter (where num_nonnulls(user_id, ip_address, user_agent) = 0), 0)`

/** How many rows, which are distinct in the three columns, name a visitor; null when there are rows and none does. */
export const visitorCount = (
  sql: SqlClient.SqlClient,
  condition: Statement.Fragment = sql`true`
): Statement.Fragment => {
  const known = sql`count(*) filter (where ${condition} and num_nonnulls(user_id, ip_address, user_agent) > 0)`
  return sql`(case when count(*) filter (where ${condition}) > 0 then nullif(${known}, 0) else 0 end)::float8`
}
