import type { EarlierPeriod } from "@clicks/core/analytics/Comparison"
import { type Axis, isTimeAxis, type TimeAxis } from "@clicks/core/analytics/Interval"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import type { TimeZone } from "@clicks/core/values/TimeZone"
import type { SqlClient, Statement } from "effect/sql"
import { instant } from "../clicks/clickConditions.ts"

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

/** The label of the slot of a click on an axis. */
export const slotLabel = (sql: Sql, at: Fragment, axis: Axis): Fragment => {
  if (isTimeAxis(axis)) return bucketLabel(sql, at, axis)
  const local = localTime(sql, at, axis.timeZone)
  return sql`((extract(isodow from ${local}) - 1) * 24 + extract(hour from ${local}))::float8`
}

/** The slot of the column `label` (`slotOf` in core). */
export const slot = (sql: Sql, axis: Axis): Fragment =>
  isTimeAxis(axis) ? sql`(extract(epoch from ${bucketStart(sql, axis)}) * 1000)::float8` : sql`label`

/** Where a click of the earlier period lies in the range (`moveLater` in core). */
export const movedLater = (
  sql: Sql,
  { shift, timeZone }: EarlierPeriod,
  { from, to }: ClickFilter
): Fragment => {
  const local = sql`(${localTime(sql, sql`occurred_at`, timeZone)} + ${shift}::float8 * interval '1 millisecond')`
  const low = from ? instant(sql, from) : sql`null`
  const high = to ? instant(sql, to) : sql`null`
  return sql`greatest(${low}, least(${high}, ${firstInstant(sql, local, timeZone)}))`
}

/** Whether a click identifies its visitor. */
export const isIdentified = (sql: Sql): Fragment =>
  sql`num_nonnulls(visitor_id, user_id, ip_address, user_agent) > 0`

/**
 * The visitor of a click (`visitorOf` in core) as a number, null if there is none. The probability that two of ten million visitors
 * share a number is 3 in a million. Control characters separate the parts: no header or address contains one.
 */
export const visitorNumber = (sql: Sql): Fragment =>
  sql`case when visitor_id is not null then hashtextextended(visitor_id, 2)
      when user_id is not null then hashtextextended(user_id, 1)
      when ${isIdentified(sql)} then hashtextextended(
        coalesce(ip_address, E'\\x02') || E'\\x01' || coalesce(user_agent, E'\\x02'), 0) end`
