import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { Effect, Semaphore, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { arrayOf } from "../../arrayOf.ts"
import { type ClickRow, columnNames, toClickEvent } from "../clickColumns.ts"
import { largestRow, pieceBytes, type SizedRow } from "./sizedRows.ts"

const idsOfPieces = (rows: ReadonlyArray<SizedRow>): ReadonlyArray<ReadonlyArray<string>> => {
  const pieces: Array<Array<string>> = []
  let size = Number.POSITIVE_INFINITY
  for (const { bytes, id } of rows) {
    size += bytes
    if (size > pieceBytes) {
      pieces.push([])
      size = bytes
    }
    pieces.at(-1)?.push(id)
  }
  return pieces
}

/**
 * Creates the function that reads the clicks of a page from its rows. Large clicks are read in pieces of `pieceBytes`, or of a single
 * click. Between pieces, no connection is held: a stored click never changes, so the pieces need no common snapshot. A click that is
 * deleted by retention meanwhile is omitted. Pieces are read one at a time, so that 60 large pages leave half of the processor and nine
 * connections to clicks.
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const turn = yield* Semaphore.make(1)
  const columns = sql.csv(columnNames)
  const read = (ids: ReadonlyArray<string>) =>
    Effect.map(
      sql<ClickRow>`
        select ${columns} from clicks where id = any(${arrayOf("uuid", ids)})
        order by occurred_at desc, id desc`,
      (rows) => rows.map(toClickEvent)
    )

  return (rows: ReadonlyArray<SizedRow>, limit: number): Stream.Stream<ClickEvent, SqlError.SqlError> => {
    const isRead = rows.every(({ bytes }) => bytes <= largestRow(limit))
    if (isRead) return Stream.fromArray(rows.map(toClickEvent))
    return Stream.flatMap(Stream.fromIterable(idsOfPieces(rows)), (ids) =>
      Stream.unwrap(Effect.map(turn.withPermit(read(ids)), Stream.fromArray))
    )
  }
})
