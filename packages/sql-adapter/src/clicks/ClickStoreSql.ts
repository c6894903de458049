import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { type ClickQuery, toPage } from "@clicks/core/clicks/ClickQuery"
import { ClickStore, ClickStoreError, collectPage } from "@clicks/core/clicks/ClickStore"
import { Effect, Layer, Semaphore, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isRefused } from "../sqlErrors.ts"
import * as ClickInsert from "./ClickInsert.ts"
import { columnNames } from "./clickColumns.ts"
import { matches } from "./clickConditions.ts"
import * as ClickPages from "./listing/ClickPages.ts"
import * as ClickStream from "./listing/ClickStream.ts"
import * as PagePieces from "./listing/pagePieces.ts"
import { pieceBytes } from "./listing/sizedRows.ts"

// A stream holds its connection until its reader has read everything. Three streams leave seven of ten connections to everything else.
const concurrentStreams = 3

// The number of pages that are read from the table at once, limited for the same reason.
const concurrentListings = 4

// The number of pages in progress that have more than one piece. Until such a page has been sent, it takes up to a megabyte: its ids, the
// piece that is being sent and the next one.
const concurrentLargePages = 64

/** How long a read waits for its turn before it fails as `Busy`. */
const patience = "5 seconds"

/** Converts the error of a failed statement to an error of the port. */
export const toClickStoreError = (operation: string) => (cause: SqlError.SqlError) =>
  new ClickStoreError({ operation, reason: isRefused(cause) ? "Refused" : "Unavailable", cause })

/** Takes a permit and holds it as long as the scope is open. */
export const admitted = (semaphore: Semaphore.Semaphore, operation: string) =>
  semaphore.takeScoped(1).pipe(
    Effect.timeoutOrElse({
      duration: patience,
      orElse: () => Effect.fail(new ClickStoreError({ operation, reason: "Busy", cause: undefined }))
    })
  )

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const streams = yield* Semaphore.make(concurrentStreams)
  const turns = yield* Semaphore.make(concurrentListings)
  const largePages = yield* Semaphore.make(concurrentLargePages)

  const insertClicks = yield* ClickInsert.make
  const readPage = yield* ClickPages.make
  const pagePieces = yield* PagePieces.make
  const readAll = yield* ClickStream.make

  const listing = (filter: ClickFilter) => sql`
    select ${sql.csv(columnNames)} from clicks where ${matches(sql, filter)} order by occurred_at desc, id desc`

  const streamPage = Effect.fn("ClickStore.list")(function* (query: ClickQuery) {
    const { rows, total } = yield* Effect.mapError(
      turns.withPermit(readPage(query)),
      toClickStoreError("list")
    )
    const { events: found, ...page } = toPage(query, rows, total)
    const clicks = Stream.mapError(pagePieces(found, query.limit), toClickStoreError("list"))
    const size = found.reduce((sum, { bytes }) => sum + bytes, 0)
    const events =
      size <= pieceBytes ? clicks : Stream.unwrap(Effect.as(admitted(largePages, "list"), clicks))
    return { ...page, events }
  })

  return ClickStore.of({
    insert: (batch) => Effect.mapError(insertClicks(batch), toClickStoreError("insert")),
    list: (query) => Effect.flatMap(streamPage(query), collectPage),
    streamPage,
    stream: (filter) =>
      Stream.unwrap(
        Effect.andThen(
          admitted(streams, "stream"),
          Effect.mapError(readAll(listing(filter)), toClickStoreError("stream"))
        )
      ).pipe(
        Stream.mapError((error) =>
          error._tag === "ClickStoreError" ? error : toClickStoreError("stream")(error)
        )
      )
  })
})

/** Keeps clicks in the table `clicks`. */
export const layer = Layer.effect(ClickStore, make)
