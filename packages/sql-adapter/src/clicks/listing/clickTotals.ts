import { ClickAction } from "@clicks/core/clicks/ClickEvent"
import { type ClickFilter, equalityFields } from "@clicks/core/clicks/ClickFilter"
import { unstorableReason } from "@clicks/core/values/Text"
import { Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { arrayOf } from "../../arrayOf.ts"
import { instant } from "../clickConditions.ts"

const isAction = Schema.is(ClickAction)

/** Whether no click can match, because a value cannot be stored, the action is unknown or a bound is not a valid date. */
const matchesNothing = (filter: ClickFilter): boolean =>
  (filter.action !== undefined && !isAction(filter.action)) ||
  equalityFields.some((field) => unstorableReason(filter[field] ?? "") !== undefined) ||
  [filter.from, filter.to].some((bound) => bound !== undefined && Number.isNaN(bound.getTime()))

/** The fields and the values of a filter, as two arrays. */
const fieldsAndValues = (sql: SqlClient.SqlClient, filter: ClickFilter): Statement.Fragment => {
  const fields = equalityFields.filter((field) => filter[field] !== undefined)
  const values = fields.map((field) => filter[field] ?? "")
  return sql`${arrayOf("text", fields)}, ${arrayOf("text", values)}`
}

/** The arguments of `count_clicks` and `skip_clicks`: fields, values, first instant, first instant after the range. */
const filterArguments = (sql: SqlClient.SqlClient, filter: ClickFilter): Statement.Fragment => {
  const from = filter.from === undefined ? sql`'-infinity'::timestamptz` : instant(sql, filter.from)
  const to =
    filter.to === undefined
      ? sql`'infinity'::timestamptz`
      : sql`${instant(sql, filter.to)} + interval '1 millisecond'`
  return sql`${fieldsAndValues(sql, filter)}, ${from}, ${to}`
}

/** An expression for the exact number of matching clicks, in the snapshot of its statement. */
export const total = (sql: SqlClient.SqlClient, filter: ClickFilter): Statement.Fragment =>
  matchesNothing(filter)
    ? sql`0::double precision`
    : sql`count_clicks(${filterArguments(sql, filter)})::double precision`

/**
 * A table expression with one row, or none if the filter has no values: the `name` of the field with the rarest value, and the number of
 * counted `clicks` with that value. The clicks of an action are a column in the count of all clicks.
 */
export const rarest = (sql: SqlClient.SqlClient, filter: ClickFilter): Statement.Fragment => sql`(
    select sought.name, coalesce((to_jsonb(k) ->> case name when 'action' then sought.value else 'n' end)::bigint, 0) as clicks
    from unnest(${fieldsAndValues(sql, matchesNothing(filter) ? {} : filter)}) with ordinality as sought (name, value, place)
    cross join lateral (select case name when 'action' then '' else name end, case name when 'action' then '' else value end) as counted (field, value)
    left join click_keys as k
      on hashtextextended(k.value, 0) = hashtextextended(counted.value, 0) and k.field = counted.field and k.value = counted.value
    order by clicks, sought.place
    limit 1)`

/**
 * A table expression with one row for a page at `offset`. All clicks of the page occurred `before` the instant; `skipped` clicks, at most
 * `offset`, did not. OFFSET skips the rest.
 */
export const skip = (sql: SqlClient.SqlClient, filter: ClickFilter, offset: number): Statement.Fragment =>
  matchesNothing(filter)
    ? sql`(select 'infinity'::timestamptz as before, 0 as skipped)`
    : sql`skip_clicks(${filterArguments(sql, filter)}, ${offset}::bigint)`
