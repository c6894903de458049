import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { Effect, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { pieceBytes } from "./ClickPages.ts"
import { type ClickRow, columnNames, textColumns } from "./clickColumns.ts"
import { matches } from "./clickConditions.ts"

// A fetch takes as many rows as make a piece, going by the fetch before, and at most twice as many. So 16 MB is the most that one
// takes, where small clicks are followed by ones of 64 kB.
const firstFetch = 16
const largestFetch = 256

const bytesOf = (row: ClickRow): number =>
  textColumns.reduce((sum, name) => sum + String(row[name] ?? "").length, 100)

const nextFetch = (rows: ReadonlyArray<ClickRow>): number => {
  const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0)
  const fitting = Math.floor((rows.length * pieceBytes) / bytes)
  return Math.max(1, Math.min(fitting, rows.length * 2, largestFetch))
}

const settings = {
  // A reader may be slow, and is none of the database's business.
  statement_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  // All rows are wanted, not the first ones soon.
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
    return Stream.paginate(firstFetch, (count) =>
      Effect.map(run(`fetch ${count} from clicks_stream`), (found) => {
        const rows = found as ReadonlyArray<ClickRow>
        return [rows, rows.length < count ? Option.none() : Option.some(nextFetch(rows))] as const
      })
    )
  })
})
