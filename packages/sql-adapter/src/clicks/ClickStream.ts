import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { Effect, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { pieceBytes } from "./ClickPages.ts"
import { type ClickRow, columnNames, textColumns } from "./clickColumns.ts"
import { matches } from "./clickConditions.ts"

// A fetch takes as many rows as make a piece, judging by the fetch before, and at most twice as many as that one. So a fetch takes 16 MB at
// most, when small clicks are followed by ones of 64 kB. Counts are powers of two, so that a connection prepares few different statements.
const firstFetch = 16
const largestFetch = 256

const bytesOf = (row: ClickRow): number => {
  let bytes = 100
  for (const name of textColumns) bytes += (row[name] as string | null)?.length ?? 0
  return bytes
}

const nextFetch = (rows: ReadonlyArray<ClickRow>): number => {
  const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0)
  const fitting = Math.floor((rows.length * pieceBytes) / bytes)
  return Math.max(1, 2 ** Math.floor(Math.log2(Math.min(fitting, rows.length * 2, largestFetch))))
}

const settings = {
  // The reader may be slow.
  statement_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  // Plan for all rows, not for the first ones.
  cursor_tuple_fraction: "1"
}

/**
 * Makes what reads all clicks that match through a cursor: one snapshot, and as many rows in memory as make a piece. Holds a
 * connection until its scope closes.
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.csv(columnNames)

  return Effect.fnUntraced(function* (filter: ClickFilter) {
    const connection = yield* sql.reserve
    const run = (statement: string, parameters: ReadonlyArray<unknown> = []) =>
      connection.executeUnprepared(statement, parameters, undefined)
    yield* Effect.addFinalizer(() => Effect.ignore(run("rollback")))
    yield* run("begin read only")
    for (const [name, value] of Object.entries(settings)) yield* run(`set local ${name} = ${value}`)
    const [statement, parameters] = sql`
      declare clicks_stream no scroll cursor for
      select ${columns} from clicks where ${matches(sql, filter)} order by occurred_at desc, id desc`.compile()
    yield* run(statement, parameters)
    const pieces = Stream.paginate(firstFetch, (count) =>
      Effect.map(connection.execute(`fetch ${count} from clicks_stream`, [], undefined), (found) => {
        const rows = found as ReadonlyArray<ClickRow>
        return [rows, rows.length < count ? Option.none() : Option.some(nextFetch(rows))] as const
      })
    )
    // The server reads the next piece while the reader encodes this one. In turns, an export takes a third longer.
    return Stream.bufferArray(pieces, { capacity: 1 })
  })
})
