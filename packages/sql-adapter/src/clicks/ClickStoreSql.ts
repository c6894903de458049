import { type ClickFilter, equalityFields } from "@clicks/core/clicks/ClickFilter"
import { type ClickQuery, toPage } from "@clicks/core/clicks/ClickQuery"
import { ClickStore, ClickStoreError } from "@clicks/core/clicks/ClickStore"
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Semaphore, Stream } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { isRefused } from "../isRefused.ts"
import { transaction } from "../transaction.ts"
import * as ClickInsert from "./ClickInsert.ts"
import { type ClickRow, columnNames, toClickEvent } from "./clickColumns.ts"
import { isAfter, matches } from "./clickConditions.ts"
import { skip, total } from "./clickTotals.ts"

export interface ClickStoreSqlOptions {
  /** From how many clicks on a batch is stored by `COPY`. */
  readonly leastCopied: number
}

// Full batches of recording and of the spool, and those of an import even where half of the rows were rejected. A few rows are
// not worth connections of their own.
export const defaultOptions: ClickStoreSqlOptions = { leastCopied: 500 }

// A stream keeps its connection as long as its reader takes. Three leave most of a pool of ten to clicks that arrive;
// a fourth waits for its turn.
const concurrentStreams = 3

const toClickStoreError = (operation: string) => (cause: SqlError.SqlError) =>
  new ClickStoreError({ operation, reason: isRefused(cause) ? "Refused" : "Unavailable", cause })

// Reading past so many rows takes as long as finding out where to begin.
const farDown = 2000

const isOfSeveral = (filter: ClickFilter): boolean =>
  equalityFields.filter((field) => filter[field] !== undefined).length > 1

interface StartRow {
  readonly total: number
  readonly before: string | null
  readonly skipped: number
}

const nowhere: StartRow = { total: 0, before: null, skipped: 0 }

/** Where a page begins: `offset` clicks down, of which those not before an instant are skipped already. `isSorted`: it is cut from all that match. */
interface Start {
  readonly total: Statement.Fragment
  readonly before: string | undefined
  readonly skipped: number
  readonly isSorted: boolean
}

type PageRow = { readonly total: number } & (ClickRow | { readonly id: null })

const make = Effect.fnUntraced(function* ({ leastCopied }: ClickStoreSqlOptions) {
  const sql = yield* SqlClient.SqlClient
  const streams = yield* Semaphore.make(concurrentStreams)
  const columns = sql.csv(columnNames)

  const insertClicks = yield* ClickInsert.make(leastCopied)

  const pageOf = (query: ClickQuery, { before, isSorted, skipped, total: counted }: Start) => {
    const isBefore = before === undefined ? sql`true` : sql`occurred_at < ${before}::timestamptz`
    const found = sql`
      select ${columns} from clicks
      where ${matches(sql, query.filter)} and ${isAfter(sql, query.after)} and ${isBefore}`
    // The join keeps the total when the page is empty. Were it not materialized, the total would be counted for each row.
    return sql<PageRow>`
      with matching as materialized (select ${counted} as total)
      select matching.total, page.*
      from matching
      left join (
        select * from (${isSorted ? sql`with found as materialized (${found}) select * from found` : found}) as found
        order by occurred_at desc, id desc
        limit ${query.limit + 1} offset ${query.offset - skipped}
      ) as page on true
      order by page.occurred_at desc, page.id desc`
  }

  const startOf = (query: ClickQuery) => {
    const isFar = query.offset > farDown && query.after === undefined
    const begin = isFar
      ? skip(sql, query.filter, query.offset)
      : sql`(select 'infinity'::timestamptz as before, 0 as skipped)`
    return sql<StartRow>`
      select ${total(sql, query.filter)} as total, case when isfinite(before) then before::text end as before, skipped::double precision as skipped
      from ${begin} as start`
  }

  // Two statements that see one moment: how many there are and where to begin, and the page from there.
  const pageFromStart = (query: ClickQuery) =>
    transaction(
      sql,
      Effect.gen(function* () {
        yield* sql`set transaction isolation level repeatable read, read only`
        const [{ before, skipped, total: counted } = nowhere] = yield* startOf(query)
        if (counted <= query.offset) return [{ total: counted, id: null }]
        // For the last page all that match have to be found, and in the order of one value's index that means to pass over all of
        // its clicks, 100,000 for the 40 that it shares with another. Any other page is soon full in that order, and the planner,
        // which thinks matches rarer than they are, is kept from collecting them all (1,060 ms for 100 of 5,600).
        const isLast = counted <= query.offset + query.limit
        if (isOfSeveral(query.filter) && !isLast) yield* sql`set local enable_bitmapscan = off`
        return yield* pageOf(query, {
          total: sql`${counted}::double precision`,
          before: before ?? undefined,
          skipped,
          isSorted: isOfSeveral(query.filter) && isLast
        })
      })
    )

  // Page and total are of one moment.
  const list = Effect.fn("ClickStore.list")(
    function* (query: ClickQuery) {
      const rows: ReadonlyArray<PageRow> = yield* query.offset > farDown || isOfSeveral(query.filter)
        ? pageFromStart(query)
        : pageOf(query, {
            total: total(sql, query.filter),
            before: undefined,
            skipped: 0,
            isSorted: false
          })
      const found = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [toClickEvent(row)]))
      return toPage(query, found, rows[0]?.total ?? 0)
    },
    Effect.mapError(toClickStoreError("list"))
  )

  // One statement, so one moment. sql-pg stops reading the socket while 512 rows wait, which makes the server pause too.
  const read = Effect.fnUntraced(function* (filter: ClickFilter) {
    yield* streams.takeScoped(1)
    const connection = yield* sql.reserve
    const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
    yield* Effect.addFinalizer(() => Effect.ignore(run("rollback")))
    yield* run("begin read only")
    yield* run("set local statement_timeout = 0")
    const [statement, parameters] = sql`
      select ${columns} from clicks where ${matches(sql, filter)} order by occurred_at desc, id desc`.compile()
    return connection.executeStream(statement, parameters, undefined)
  })

  return ClickStore.of({
    insert: (batch) => Effect.mapError(insertClicks(batch), toClickStoreError("insert")),
    list,
    stream: (filter) =>
      Stream.unwrap(read(filter)).pipe(
        Stream.map((row) => toClickEvent(row as ClickRow)),
        Stream.mapError(toClickStoreError("stream"))
      )
  })
})

/** Keeps clicks in the table `clicks`. */
export const layerWith = (
  options: ClickStoreSqlOptions
): Layer.Layer<ClickStore, never, PgClient.PgClient | SqlClient.SqlClient> =>
  Layer.effect(ClickStore, make(options))

export const layer = layerWith(defaultOptions)
