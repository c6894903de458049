import type { ListingPosition } from "@clicks/core/clicks/ClickCursor"
import { type ClickFilter, type EqualityField, equalityFields } from "@clicks/core/clicks/ClickFilter"
import { unstorableReason } from "@clicks/core/values/Text"
import { PgTypes } from "@effect/sql-pg"
import type { SqlClient, Statement } from "effect/sql"
import { hashedFields } from "./counting/countColumns.ts"

// The earliest timestamptz, 4714-11-24 BC. A Date can be earlier; no stored click can.
const earliest = -210_866_803_200_000

/** A date as a parameter to compare with. */
export const instant = (sql: SqlClient.SqlClient, date: Date): Statement.Fragment => {
  const millis = date.getTime()
  // From the year 2256 on, a double cannot hold all microseconds exactly. The cast rounds to milliseconds again.
  return sql`${PgTypes.timestamptz(millis < earliest ? Number.NEGATIVE_INFINITY : millis)}::timestamptz(3)`
}

const hashed: ReadonlyArray<EqualityField> = hashedFields

/** Whether an index lists the clicks with a value of the field in listing order. */
export const isIndexed = (field: EqualityField): boolean => field === "action" || hashed.includes(field)

const equals = (sql: SqlClient.SqlClient, field: EqualityField, value: string): Statement.Fragment => {
  const column = sql(field)
  if (!hashed.includes(field)) return sql`${column} = ${value}`
  // The index contains hashes; the second comparison makes the condition exact. The planner would treat two plain comparisons as
  // independent and expect too few rows. With 10,000 matches in a million rows, it then sorted them all (20 ms) instead of reading the
  // first hundred in the order of the index (1 ms). So a case expression hides the second comparison from it.
  return sql`hashtextextended(${column}, 0) = hashtextextended(${value}, 0)
    and case when ${column} = ${value} then true else false end`
}

const bound = (
  sql: SqlClient.SqlClient,
  operator: ">=" | "<=",
  date: Date | undefined
): ReadonlyArray<Statement.Fragment> => {
  if (date === undefined) return []
  if (Number.isNaN(date.getTime())) return [sql`false`]
  return [sql`occurred_at ${sql.literal(operator)} ${instant(sql, date)}`]
}

/** All conditions of a filter. `equal` creates those on values. */
const conditions = (
  sql: SqlClient.SqlClient,
  filter: ClickFilter,
  equal: (field: EqualityField, value: string) => Statement.Fragment
): Statement.Fragment =>
  sql.and([
    ...equalityFields.flatMap((field) => {
      const value = filter[field]
      if (value === undefined) return []
      // A text that cannot be stored matches nothing, and the server would reject it as a parameter.
      return [unstorableReason(value) === undefined ? equal(field, value) : sql`false`]
    }),
    ...bound(sql, ">=", filter.from),
    ...bound(sql, "<=", filter.to)
  ])

/** `ClickFilter.matches` as a condition on the columns of `clicks`. */
export const matches = (sql: SqlClient.SqlClient, filter: ClickFilter): Statement.Fragment =>
  conditions(sql, filter, (field, value) => equals(sql, field, value))

/** The expression that the index of the field contains for a value. */
const indexed = (
  sql: SqlClient.SqlClient,
  field: EqualityField,
  value: Statement.Fragment
): Statement.Fragment => (field === "action" ? value : sql`hashtextextended(${value}, 0)`)

/**
 * `matches` and an order for which the planner must read the index of `along` or, without `along`, the index in listing order.
 *
 * By itself, the planner chooses any index that has the rows in listing order. It assumes that a frequent value is spread evenly over all
 * clicks, and once skipped the newest 370,000 clicks, none of which had the value. So the order begins with the value. The value is
 * compared with "= any", because the planner removes a value compared with "=" from the order as a constant. Only one index has that order.
 * The other values are compared without hashes, so no index serves them.
 */
export const matchesInOrder = (
  sql: SqlClient.SqlClient,
  filter: ClickFilter,
  along: EqualityField | undefined
): { readonly condition: Statement.Fragment; readonly order: Statement.Fragment } => {
  const listingOrder = sql`occurred_at desc, id desc`
  const isEqual = (field: EqualityField, value: string) => {
    const plain = sql`${sql(field)} = ${value}`
    if (field !== along) return plain
    const isFound = sql`${indexed(sql, field, sql`${sql(field)}`)} = any (array[${indexed(sql, field, sql`${value}`)}])`
    return field === "action" ? isFound : sql`${isFound} and ${plain}`
  }
  return {
    condition: conditions(sql, filter, isEqual),
    order:
      along === undefined
        ? listingOrder
        : sql`${indexed(sql, along, sql`${sql(along)}`)} desc, ${listingOrder}`
  }
}

/** Whether a row comes after the position in listing order. */
export const isAfter = (
  sql: SqlClient.SqlClient,
  position: ListingPosition | undefined
): Statement.Fragment =>
  position === undefined
    ? sql`true`
    : sql`(occurred_at, id) < (${instant(sql, position.occurred_at)}, ${position.id}::uuid)`
