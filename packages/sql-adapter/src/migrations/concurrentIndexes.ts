import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** An index on a table that may have millions of rows. */
interface ConcurrentIndex {
  readonly name: string
  readonly on: string
}

/**
 * Indexes that are built after the migrations, while other sessions read and write. Built in a transaction, they would keep the table
 * locked.
 */
const concurrentIndexes: ReadonlyArray<ConcurrentIndex> = [
  // Inserts write only at its right end, and clicks of one transaction share an entry: about 7 bytes per click.
  { name: "clicks_by_arrival", on: "clicks (arrival)" }
]

export interface MissingIndex extends ConcurrentIndex {
  /** Whether its build was interrupted: the index then exists, cannot be used, and slows down every insert. */
  readonly isBroken: boolean
}

/** The indexes that are missing or broken. */
export const missingIndexes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const names = concurrentIndexes.map(({ name }) => name)
  const found = yield* sql<{ readonly name: string; readonly isValid: boolean }>`
    select relname as name, indisvalid as "isValid" from pg_index join pg_class on pg_class.oid = indexrelid
    where ${sql.in("relname", names)} and pg_table_is_visible(indexrelid)`
  return concurrentIndexes.flatMap((index): ReadonlyArray<MissingIndex> => {
    const existing = found.find(({ name }) => name === index.name)
    return existing?.isValid === true ? [] : [{ ...index, isBroken: existing !== undefined }]
  })
})
