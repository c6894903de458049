import { Effect, Option, Stream } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { clickOfValues, columnNames, textColumns } from "../clickColumns.ts"
import { pieceBytes } from "./sizedRows.ts"

// A fetch reads as many rows as fit into a piece, estimated from the previous fetch, but at most twice as many as that. If clicks of 64 kB
// follow small ones, a fetch of an export thus takes at most 16 MB. Counts are powers of two, so that a connection prepares few different
// statements.
const firstFetch = 16

export interface StreamOptions {
  /** The maximum number of rows of a fetch, a power of two. */
  readonly fetch: number
  /** The size of a piece in bytes. */
  readonly bytes: number
  /** Settings of PostgreSQL for this stream. */
  readonly settings?: Readonly<Record<string, string>>
}

export const forReaders: StreamOptions = { fetch: 256, bytes: pieceBytes }

/** The values of a row, in the order of `columnNames`. */
type Values = ReadonlyArray<unknown>

const texts = textColumns.map((name) => columnNames.indexOf(name))

const bytesOf = (row: Values): number => {
  let bytes = 100
  for (const index of texts) bytes += (row[index] as string | null)?.length ?? 0
  return bytes
}

const nextFetch = (rows: ReadonlyArray<Values>, largest: StreamOptions): number => {
  const bytes = rows.reduce((sum, row) => sum + bytesOf(row), 0)
  const fitting = Math.floor((rows.length * largest.bytes) / bytes)
  return Math.max(1, 2 ** Math.floor(Math.log2(Math.min(fitting, rows.length * 2, largest.fetch))))
}

const settings = {
  // The reader may be slow.
  statement_timeout: "0",
  idle_in_transaction_session_timeout: "0",
  // Plan for all rows, not for the first ones.
  cursor_tuple_fraction: "1"
}

/**
 * Creates the function that reads the clicks of a statement, which selects `columnNames`, through a cursor. All clicks come from one
 * snapshot, and only about a piece of them is in memory. The stream holds a connection until its scope closes.
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  return Effect.fnUntraced(function* (select: Statement.Fragment, options = forReaders) {
    const connection = yield* sql.reserve
    const run = (statement: string, parameters: ReadonlyArray<unknown> = []) =>
      connection.executeUnprepared(statement, parameters, undefined)
    yield* Effect.addFinalizer(() => Effect.ignore(run("rollback")))
    yield* run("begin read only")
    for (const [name, value] of Object.entries({ ...settings, ...options.settings }))
      yield* run(`set local ${name} = ${value}`)
    const [statement, parameters] = sql`
      declare clicks_stream no scroll cursor for ${select}`.compile()
    yield* run(statement, parameters)
    const pieces = Stream.paginate(firstFetch, (count) =>
      Effect.map(connection.executeValues(`fetch ${count} from clicks_stream`, []), (rows) => {
        const next = rows.length < count ? Option.none() : Option.some(nextFetch(rows, options))
        return [rows.map(clickOfValues), next] as const
      })
    )
    // The server reads the next piece while the reader encodes this one. Otherwise, an export would take a third longer.
    return Stream.bufferArray(pieces, { capacity: 1 })
  })
})
