import type { ListingPosition } from "@clicks/core/clicks/ClickCursor"
import { type ClickFilter, type EqualityField, equalityFields } from "@clicks/core/clicks/ClickFilter"
import { unstorableReason } from "@clicks/core/values/Text"
import { PgTypes } from "@effect/sql-pg"
import type { SqlClient, Statement } from "effect/sql"

// The earliest timestamptz, 4714-11-24 BC. A Date reaches further back, to where nothing can be stored.
const earliest = -210_866_803_200_000

// A year above 2255 has more microseconds than a number holds exactly, hence the cast: it rounds to the millisecond again.
/** A date as the server compares it. */
export const instant = (sql: SqlClient.SqlClient, date: Date): Statement.Fragment => {
  const millis = date.getTime()
  return sql`${PgTypes.timestamptz(millis < earliest ? Number.NEGATIVE_INFINITY : millis)}::timestamptz(3)`
}

const equals = (sql: SqlClient.SqlClient, field: EqualityField, value: string): Statement.Fragment => {
  const column = sql(field)
  if (field === "action") return sql`${column} = ${value}`
  // The index knows hashes, the second comparison makes it exact. Two plain comparisons would look to the planner as
  // selective as two columns: for 10,000 rows of a million it then sorted them all (20 ms) instead of reading the first
  // hundred in the index's order (1 ms). Inside a case expression it cannot count the second one.
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

/** All conditions of a filter, those of its values as `equal` puts them. */
const conditions = (
  sql: SqlClient.SqlClient,
  filter: ClickFilter,
  equal: (field: EqualityField, value: string) => Statement.Fragment
): Statement.Fragment =>
  sql.and([
    ...equalityFields.flatMap((field) => {
      const value = filter[field]
      if (value === undefined) return []
      // No stored text can be equal to one that cannot be stored; the server would not even read it.
      return [unstorableReason(value) === undefined ? equal(field, value) : sql`false`]
    }),
    ...bound(sql, ">=", filter.from),
    ...bound(sql, "<=", filter.to)
  ])

/** What `ClickFilter.matches` says, as a condition on the columns of `clicks`. */
export const matches = (sql: SqlClient.SqlClient, filter: ClickFilter): Statement.Fragment =>
  conditions(sql, filter, (field, value) => equals(sql, field, value))

/** What the index of a field knows of its value. */
const indexed = (
  sql: SqlClient.SqlClient,
  field: EqualityField,
  value: Statement.Fragment
): Statement.Fragment => (field === "action" ? value : sql`hashtextextended(${value}, 0)`)

/**
 * `matches` for rows that are read in the order of the index of `along`, in listing order without; and that order.
 *
 * Left to itself the planner takes any index that has the rows in order. It believes that a frequent value lies evenly among all
 * clicks, and passed over the newest 370,000, none of which had it. What is compared by "=" is a constant and no part of an order,
 * so the listing order would do; as one of a list it is a part of it, and only one index has that order. The other values are
 * compared as they are, which serves no index.
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

/** Whether a row stands after the position in listing order. */
export const isAfter = (
  sql: SqlClient.SqlClient,
  position: ListingPosition | undefined
): Statement.Fragment =>
  position === undefined
    ? sql`true`
    : sql`(occurred_at, id) < (${instant(sql, position.occurred_at)}, ${position.id}::uuid)`
