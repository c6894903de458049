import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { type ClickQuery, toPage } from "@clicks/core/clicks/ClickQuery"
import { ClickStore, ClickStoreError } from "@clicks/core/clicks/ClickStore"
import type { PgClient } from "@effect/sql-pg"
import { Effect, Layer, Semaphore, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isRefused } from "../isRefused.ts"
import * as ClickInsert from "./ClickInsert.ts"
import * as ClickPages from "./ClickPages.ts"
import { type ClickRow, columnNames, toClickEvent } from "./clickColumns.ts"
import { matches } from "./clickConditions.ts"

export interface ClickStoreSqlOptions {
  /** From how many clicks on a batch is stored by `COPY`. */
  readonly leastCopied: number
}

// Full batches of recording and of the spool, and those of an import even where half of the rows were rejected. A few rows are
// not worth connections of their own.
export const defaultOptions: ClickStoreSqlOptions = { leastCopied: 500 }

// A stream keeps its connection as long as its reader takes. Three leave most of a pool of ten to listings and all
// else; a fourth waits for its turn.
const concurrentStreams = 3

const toClickStoreError = (operation: string) => (cause: SqlError.SqlError) =>
  new ClickStoreError({ operation, reason: isRefused(cause) ? "Refused" : "Unavailable", cause })

const make = Effect.fnUntraced(function* ({ leastCopied }: ClickStoreSqlOptions) {
  const sql = yield* SqlClient.SqlClient
  const streams = yield* Semaphore.make(concurrentStreams)
  const columns = sql.csv(columnNames)

  const insertClicks = yield* ClickInsert.make(leastCopied)

  const readPage = yield* ClickPages.make

  const list = Effect.fn("ClickStore.list")(
    function* (query: ClickQuery) {
      const { rows, total } = yield* readPage(query)
      return toPage(query, rows.map(toClickEvent), total)
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
