import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import type { BucketWidth, Cut, ListingPart } from "@clicks/core/clicks/tiers/Cut"
import { HotClicks } from "@clicks/core/clicks/tiers/HotClicks"
import { Effect, Layer, Semaphore, Stream } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { transaction } from "../../transaction.ts"
import { admitted, toClickStoreError } from "../ClickStoreSql.ts"
import { columnNames } from "../clickColumns.ts"
import { isAfter, matches } from "../clickConditions.ts"
import * as ClickStream from "../listing/ClickStream.ts"
import * as PagePieces from "../listing/pagePieces.ts"
import { type SizedRow, sizedColumns, withSize } from "../listing/sizedRows.ts"
import { expiredColumns, isKept, isWithin, rangeOf } from "./arrivalRanges.ts"

// The same limits as in `ClickStoreSql`, for the same reasons.
const concurrentStreams = 3
const concurrentReads = 4

type CutRow = Omit<Cut, "abandoned"> & {
  readonly abandoned: ReadonlyArray<number> | null
  readonly is_whole: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const streams = yield* Semaphore.make(concurrentStreams)
  const turns = yield* Semaphore.make(concurrentReads)
  const readAll = yield* ClickStream.make
  const pagePieces = yield* PagePieces.make

  // One statement, so that the mark and the clicks after it come from one snapshot.
  const cut = Effect.map(
    sql<CutRow>`
      select moved as mark, ${sql.literal(expiredColumns)}, removed_until as "removedUntil", mark::text || '|' || pg_current_snapshot()::text as arrivals,
        caught_up_at is null as is_whole,
        (select json_agg(attempt order by attempt) from click_archive_attempts where state = 'abandoned' and attempt <= moved) as abandoned
      from click_archive`,
    ([row]) => {
      if (row === undefined || row.is_whole) return null
      const { abandoned, is_whole: _, ...cut } = row
      return { ...cut, abandoned: abandoned ?? [] }
    }
  )

  /** Selects the clicks in the hot part of the cut that match. */
  const isHot = (cut: Cut, filter: ClickFilter) => sql`
    ${isWithin(sql, rangeOf(cut))} and ${isKept(sql, cut)} and ${matches(sql, filter)}`

  /** Runs a statement that reads few of the clicks in the table. The planner does not know that they are few. */
  const onRange = <A>(statement: Effect.Effect<A, SqlError.SqlError>) =>
    turns.withPermit(transaction(sql, Effect.andThen(sql`set local enable_seqscan = off`, statement)))

  const count = (cut: Cut, filter: ClickFilter, width: BucketWidth) => sql<{ start: number; count: number }>`
    select (floor(extract(epoch from occurred_at) * 1000 / ${width}::bigint) * ${width}::bigint)::float8 as start,
      count(*)::float8 as count
    from clicks where ${isHot(cut, filter)} group by 1`

  const listing = (
    columns: typeof selected,
    cut: Cut,
    filter: ClickFilter,
    { after, limit }: ListingPart
  ) => sql`
    select ${columns} from clicks where ${isHot(cut, filter)} and ${isAfter(sql, after)}
    order by occurred_at desc, id desc ${limit === undefined ? sql`` : sql`limit ${limit}`}`
  const selected = sql.csv(columnNames)

  const page = (cut: Cut, filter: ClickFilter, part: ListingPart & { readonly limit: number }) =>
    Stream.unwrap(
      Effect.map(
        onRange(sql<SizedRow>`
          select ${sizedColumns(sql, part.limit)} from ${withSize(sql, listing(selected, cut, filter, part))} as sized
          order by sized.occurred_at desc, sized.id desc`),
        (rows) => pagePieces(rows, part.limit)
      )
    )

  const all = (cut: Cut, filter: ClickFilter, part: ListingPart) =>
    Stream.unwrap(
      readAll(listing(selected, cut, filter, part), {
        ...ClickStream.forReaders,
        settings: { enable_seqscan: "off" }
      })
    )

  return HotClicks.of({
    cut: Effect.mapError(cut, toClickStoreError("cut")),
    count: (cut, filter, width) =>
      Effect.mapError(onRange(count(cut, filter, width)), toClickStoreError("count")),
    read: (cut, filter, { after, limit }) => {
      const part = { ...(after && { after }) }
      if (limit !== undefined)
        return Stream.mapError(page(cut, filter, { ...part, limit }), toClickStoreError("read"))
      const rows = Stream.mapError(all(cut, filter, part), toClickStoreError("read"))
      return Stream.unwrap(Effect.as(admitted(streams, "read"), rows))
    }
  })
})

/** Reads the clicks of the table `clicks` that arrived after the mark. */
export const layer: Layer.Layer<HotClicks, never, SqlClient.SqlClient> = Layer.effect(HotClicks, make)
