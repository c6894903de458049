import type { TimeAxis } from "@clicks/core/analytics/Interval"
import type { TimeZone } from "@clicks/core/values/TimeZone"
import type { SqlClient, Statement } from "effect/sql"
import { visitorNumber as numberOfVisitor } from "../clicks/counting/chunkColumns.ts"

type Sql = SqlClient.SqlClient
type Fragment = Statement.Fragment

const localTime = (sql: Sql, at: Fragment, timeZone: TimeZone): Fragment =>
  sql`(${at} at time zone ${timeZone}::text)`

/**
 * The instant at which the clocks of a zone first show a local time.
 *
 * If the clocks show a time twice, the server takes the second instant; if they skip it, the server adds the length of the gap. The first
 * instant is the same time a day before plus 24 hours, if the clocks show the time then.
 */
const firstInstant = (sql: Sql, local: Fragment, timeZone: TimeZone): Fragment => {
  const zone = sql`at time zone ${timeZone}::text`
  const first = sql`((${local} - interval '1 day') ${zone} + interval '24 hours')`
  return sql`least(${local} ${zone}, case when ${first} ${zone} = ${local} then ${first} end)`
}

/** The label of the bucket of a click (`bucketStart` in core): an instant for hours, otherwise a local date. */
export const bucketLabel = (sql: Sql, at: Fragment, { interval, timeZone }: TimeAxis): Fragment =>
  interval === "hour"
    ? sql`date_trunc('hour', ${at}, ${timeZone}::text)`
    : sql`date_trunc(${interval}::text, ${localTime(sql, at, timeZone)})`

/** The instant at which a bucket begins, from its label in the column `label`. */
export const bucketStart = (sql: Sql, { interval, timeZone }: TimeAxis): Fragment =>
  interval === "hour" ? sql`label` : firstInstant(sql, sql`label`, timeZone)

/** Whether a click identifies its visitor. */
export const isIdentified = (sql: Sql): Fragment =>
  sql`num_nonnulls(visitor_id, user_id, ip_address, user_agent) > 0`

/** The visitor of a click as a number, null if there is none. */
export const visitorNumber = (sql: Sql): Fragment => sql.literal(`(${numberOfVisitor})`)
