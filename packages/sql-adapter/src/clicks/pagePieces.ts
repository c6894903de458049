import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { PgTypes } from "@effect/sql-pg"
import { Effect, Result, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { type PageRow, pieceBytes } from "./ClickPages.ts"
import { type ClickRow, columnNames, toClickEvent } from "./clickColumns.ts"

/** Limits how many pieces are read at once. */
type Turn = <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** Whether the page came with all columns of this row. */
export const isRead = ({ upto }: PageRow): boolean => upto <= pieceBytes

/** The ids of the rows in groups of at most `pieceBytes`, or of one row. */
const grouped = (rows: ReadonlyArray<PageRow>, start: number): ReadonlyArray<ReadonlyArray<string>> => {
  const groups: Array<Array<string>> = []
  let end = 0
  let before = start
  for (const { id, upto } of rows) {
    const group = groups.at(-1)
    if (group === undefined || upto > end) {
      groups.push([id])
      end = before + pieceBytes
    } else group.push(id)
    before = upto
  }
  return groups
}

/**
 * Makes what reads the clicks of a page piece by piece. Between pieces no connection is held: a stored click never changes, so the
 * pieces need no common snapshot. A click that retention deletes meanwhile is left out.
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.csv(columnNames)
  const read = (ids: ReadonlyArray<string>) =>
    Effect.map(
      sql<ClickRow>`
        select ${columns} from clicks where id = any(${Result.getOrThrow(PgTypes.array(ids, PgTypes.OID.uuid))})
        order by occurred_at desc, id desc`,
      (rows) => rows.map(toClickEvent)
    )

  /** The clicks of the page. Each piece takes a turn. */
  return (rows: ReadonlyArray<PageRow>, turn: Turn): Stream.Stream<ClickEvent, SqlError.SqlError> => {
    const first = rows.filter(isRead)
    const groups = grouped(rows.slice(first.length), first.at(-1)?.upto ?? 0)
    return Stream.concat(
      Stream.fromArray(first.map(toClickEvent)),
      Stream.flatMap(Stream.fromIterable(groups), (ids) =>
        Stream.unwrap(Effect.map(turn(read(ids)), Stream.fromArray))
      )
    )
  }
})
