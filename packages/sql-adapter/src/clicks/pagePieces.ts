import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { Effect, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { arrayOf } from "../arrayOf.ts"
import { type PageRow, pieceBytes } from "./ClickPages.ts"
import { type ClickRow, columnNames, toClickEvent } from "./clickColumns.ts"

/** Limits how many pieces are read at once. */
type Turn = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

const idsOfPieces = (rows: ReadonlyArray<PageRow>): ReadonlyArray<ReadonlyArray<string>> => {
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
 * Makes what reads the clicks of a page in pieces of `pieceBytes`, or of one click. Between pieces no connection is held: a stored click
 * never changes, so the pieces need no common snapshot. A click that retention deletes meanwhile is left out.
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.csv(columnNames)
  const read = (ids: ReadonlyArray<string>) =>
    Effect.map(
      sql<ClickRow>`
        select ${columns} from clicks where id = any(${arrayOf("uuid", ids)})
        order by occurred_at desc, id desc`,
      (rows) => rows.map(toClickEvent)
    )

  /** The clicks of the page. Each piece takes a turn. */
  return (rows: ReadonlyArray<PageRow>, turn: Turn): Stream.Stream<ClickEvent, SqlError.SqlError> =>
    Stream.flatMap(Stream.fromIterable(idsOfPieces(rows)), (ids) =>
      Stream.unwrap(Effect.map(turn(read(ids)), Stream.fromArray))
    )
})
