import { type ClickFilter, equalityFields } from "@clicks/core/clicks/ClickFilter"
import { unstorableReason } from "@clicks/core/values/Text"
import type { SqlClient, Statement } from "effect/sql"
import { arrayOf } from "../arrayOf.ts"
import { instant } from "./clickConditions.ts"

/** Whether no click can match: nothing that is stored equals a text that cannot be, and no instant is beyond none. */
const isFutile = (filter: ClickFilter): boolean =>
  equalityFields.some((field) => unstorableReason(filter[field] ?? "") !== undefined) ||
  [filter.from, filter.to].some((bound) => bound !== undefined && Number.isNaN(bound.getTime()))

/** What the functions of the counts take: the fields, their values, the first instant, and the first one after the last. */
const sought = (sql: SqlClient.SqlClient, filter: ClickFilter): Statement.Fragment => {
  const fields = equalityFields.filter((field) => filter[field] !== undefined)
  const from = filter.from === undefined ? sql`'-infinity'::timestamptz` : instant(sql, filter.from)
  const to =
    filter.to === undefined
      ? sql`'infinity'::timestamptz`
      : sql`${instant(sql, filter.to)} + interval '1 millisecond'`
  return sql`${arrayOf("text", fields)}, ${arrayOf(
    "text",
    fields.map((field) => filter[field] ?? "")
  )}, ${from}, ${to}`
}

/** The number of clicks that match, as an expression: exact, and of the moment of the statement it stands in. */
export const total = (sql: SqlClient.SqlClient, filter: ClickFilter): Statement.Fragment =>
  isFutile(filter) ? sql`0::double precision` : sql`count_clicks(${sought(sql, filter)})::double precision`

/**
 * A table expression of one row, or none without values: the `name` of the field whose value the fewest counted clicks have, and how
 * many have it. Those of an action are a column of the count of all clicks.
 */
export const rarest = (sql: SqlClient.SqlClient, filter: ClickFilter): Statement.Fragment => {
  const keys = equalityFields.flatMap((field) => {
    const value = filter[field]
    if (value === undefined || isFutile(filter)) return []
    return field === "action" ? [[field, "", "", value]] : [[field, field, value, "n"]]
  })
  const column = (place: number) =>
    arrayOf(
      "text",
      keys.map((key) => key[place] ?? "")
    )
  return sql`(
    select sought.name, coalesce((to_jsonb(k) ->> sought.counted)::bigint, 0) as clicks
    from unnest(${column(0)}, ${column(1)}, ${column(2)}, ${column(3)}) with ordinality as sought (name, field, value, counted, place)
    left join click_keys as k
      on hashtextextended(k.value, 0) = hashtextextended(sought.value, 0) and k.field = sought.field and k.value = sought.value
    order by clicks, sought.place
    limit 1)`
}

/**
 * A table expression of one row for a page that begins after `offset` clicks: that it lies `before` an instant, and how many clicks
 * are thereby `skipped`. At most `offset`; the rest is for OFFSET.
 */
export const skip = (sql: SqlClient.SqlClient, filter: ClickFilter, offset: number): Statement.Fragment =>
  isFutile(filter)
    ? sql`(select 'infinity'::timestamptz as before, 0 as skipped)`
    : sql`skip_clicks(${sought(sql, filter)}, ${offset}::bigint)`
