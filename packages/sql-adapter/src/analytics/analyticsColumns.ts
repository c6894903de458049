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
 * Of a time that comes twice the server takes the second, of one that is skipped it moves on by the length of the gap. The first is
 * found as the time a day before plus 24 hours, where the clocks do show it then.
 */
const firstInstant = (sql: Sql, local: Fragment, timeZone: TimeZone): Fragment => {
  const zone = sql`at time zone ${timeZone}::text`
  const first = sql`((${local} - interval '1 day') ${zone} + interval '24 hours')`
  return sql`least(${local} ${zone}, case when ${first} ${zone} = ${local} then ${first} end)`
}

/** What clicks of one bucket (`bucketStart` in core) have in common: hours as instants, all else as local dates. */
export const bucketLabel = (sql: Sql, at: Fragment, { interval, timeZone }: TimeAxis): Fragment =>
  interval === "hour"
    ? sql`date_trunc('hour', ${at}, ${timeZone}::text)`
    : sql`date_trunc(${interval}::text, ${localTime(sql, at, timeZone)})`

/** The instant at which a bucket begins, from its label in the column `label`. */
export const bucketStart = (sql: Sql, { interval, timeZone }: TimeAxis): Fragment =>
  interval === "hour" ? sql`label` : firstInstant(sql, sql`label`, timeZone)

/** What clicks of one slot of an axis have in common. */
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
 * The visitor of a click (`visitorOf` in core) as a number, null if there is none. Two of ten million visitors share a number with a
 * probability of 3 in a million. No header or address contains a control character.
 */
export const visitorNumber = (sql: Sql): Fragment =>
  sql`case when visitor_id is not null then hashtextextended(visitor_id, 2)
      when user_id is not null then hashtextextended(user_id, 1)
      when ${isIdentified(sql)} then hashtextextended(
        coalesce(ip_address, E'\\x02') || E'\\x01' || coalesce(user_agent, E'\\x02'), 0) end`
