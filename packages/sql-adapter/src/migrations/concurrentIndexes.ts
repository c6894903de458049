import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** An index on a table that may have millions of rows. */
export interface ConcurrentIndex {
  readonly name: string
  /** The migration that makes what it is on. */
  readonly after: string
  readonly on: string
}

/** Indexes that are made after the migrations, while others read and write: in a transaction they would keep the table locked. */
export const concurrentIndexes: ReadonlyArray<ConcurrentIndex> = [
  // Appended to at its right end, and the clicks of one transaction share an entry: some 7 bytes a click.
  { name: "clicks_by_arrival", after: "0001_baseline", on: "clicks (arrival)" }
]

export interface MissingIndex extends ConcurrentIndex {
  /** Building it was cut off: it is there, of no use, and slows down every insert. */
  readonly isBroken: boolean
}

/** Those of the indexes that cannot be used. */
export const missingIndexes = Effect.fnUntraced(function* (
  indexes: ReadonlyArray<ConcurrentIndex>
): Effect.fn.Return<ReadonlyArray<MissingIndex>, SqlError.SqlError, SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  if (indexes.length === 0) return []
  const found = yield* sql<{ readonly name: string; readonly isValid: boolean }>`
    select relname as name, indisvalid as "isValid" from pg_index join pg_class on pg_class.oid = indexrelid
    where ${sql.in(
      "relname",
      indexes.map(({ name }) => name)
    )} and pg_table_is_visible(indexrelid)`
  return indexes.flatMap((index) => {
    const there = found.find(({ name }) => name === index.name)
    return there?.isValid === true ? [] : [{ ...index, isBroken: there !== undefined }]
  })
})
