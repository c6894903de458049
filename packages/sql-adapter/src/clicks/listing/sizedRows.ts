import type { SqlClient, Statement } from "effect/sql"
import { type ClickRow, columnNames, textColumns } from "../clickColumns.ts"

/** A click with its size. If it is large, only `id` and `occurred_at` are set. */
export type SizedRow = ClickRow & { readonly bytes: number }

/** The maximum size of clicks that are read at once, in bytes, unless a single click is larger. A page of 1,000 clicks can have 80 MB. */
export const pieceBytes = 256 * 1024

/**
 * The maximum size in bytes of a row that is read with its page of `limit` rows. Together, such rows fit into a piece, or into a megabyte
 * if `limit` is 1,000.
 */
export const largestRow = (limit: number): number => Math.max(1024, Math.floor(pieceBytes / (limit + 1)))

// Only text columns can be large; 100 bytes stand for the others. The length of a text is known without decompressing it.
const bytes = ["100", ...textColumns.map((name) => `coalesce(octet_length(${name}), 0)`)].join(" + ")

/** A table expression: the rows with their size, `bytes`. "offset 0" prevents the sizes from being computed for each column. */
export const withSize = (sql: SqlClient.SqlClient, rows: Statement.Fragment): Statement.Fragment =>
  sql`(select *, ${sql.literal(bytes)} as bytes from (${rows}) as page offset 0)`

/** The columns of a `SizedRow`, selected from the table expression of `withSize`. */
export const sizedColumns = (sql: SqlClient.SqlClient, limit: number): Statement.Fragment => {
  const small = (name: string) => `case when bytes <= ${largestRow(limit)} then ${name} end as ${name}`
  const columns = columnNames.map((name) => (name === "id" || name === "occurred_at" ? name : small(name)))
  return sql.literal(["bytes", ...columns].join(", "))
}
