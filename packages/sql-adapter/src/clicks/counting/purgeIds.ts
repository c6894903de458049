import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "../../transaction.ts"
import { chunkFields, readColumn } from "./chunkColumns.ts"

const columns = ["visitor", ...chunkFields] as const

type Ids = "click_texts" | "click_visitors"

/** A bit for each id of a table; set if a chunk uses the id. */
const emptyBits = Effect.fnUntraced(function* (table: Ids) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly last: number }>`select coalesce(max(id), 0) as last from ${sql(table)}`
  return new Uint8Array(((row?.last ?? 0) >>> 3) + 1)
})

const mark = (bits: Uint8Array, ids: ArrayLike<number>): void => {
  for (let row = 0; row < ids.length; row++) {
    const id = ids[row] as number
    bits[id >>> 3] = (bits[id >>> 3] as number) | (1 << (id & 7))
  }
}

const deleteUnmarked = Effect.fnUntraced(function* (table: Ids, bits: Uint8Array) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`delete from ${sql(table)} where get_bit(${bits}::bytea, id) = 0`
})

/**
 * Deletes the texts and visitors that no chunk uses, because only deleted clicks had them. A visitor is a hash of personal data, so it must
 * not outlive the clicks. Meanwhile, counting and deleting clicks wait: a second or two with ten million clicks.
 */
export const purgeIds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const purge = Effect.gen(function* () {
    // With the timeout, deleting many ids would fail, and they would outlive their clicks until the next deletion.
    yield* sql`set local statement_timeout = 0`
    yield* sql`select pg_advisory_xact_lock(254258)`
    const texts = yield* emptyBits("click_texts")
    const visitors = yield* emptyBits("click_visitors")
    const chunks = yield* sql<{ readonly id: string }>`select id::text from click_chunks`
    for (const { id } of chunks) {
      const [row] = yield* sql<Record<string, Uint8Array>>`
        select ${sql.csv(columns.map((column) => sql`${sql(column)}`))} from click_chunks where id = ${id}::bigint`
      for (const column of columns)
        mark(column === "visitor" ? visitors : texts, readColumn(column, row?.[column] ?? new Uint8Array()))
    }
    yield* deleteUnmarked("click_texts", texts)
    yield* deleteUnmarked("click_visitors", visitors)
  })
  yield* transaction(sql, purge)
})
