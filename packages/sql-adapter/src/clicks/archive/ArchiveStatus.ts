import type { Tally } from "@clicks/core/clicks/tiers/ClickArchive"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { transaction } from "../../transaction.ts"
import type { Mark } from "./arrivalRanges.ts"

/** How far the archive is behind the database. */
export interface ArchiveStatus {
  /** Whether readers use the archive. Until it has caught up for the first time, the database still has all clicks. */
  readonly isCaughtUp: boolean
  /** Clicks moved so far, including those deleted since. */
  readonly moved: number
  /** The number of the newest moved batch. */
  readonly batch: number
  /** The number of failed attempts. */
  readonly abandoned: number
  /** The number of clicks that wait to be moved, at most `mostCounted`. */
  readonly waiting: number
  /** How long clicks have been waiting, in seconds; 0 if none are. */
  readonly lagSeconds: number
}

// Counting a million clicks takes a few tenths of a second.
export const mostCounted = 1_000_000

interface Row extends Omit<ArchiveStatus, "waiting"> {
  readonly mark: Mark
}

/** The status; undefined if no archive was ever used. */
export const archiveStatus: Effect.Effect<ArchiveStatus | undefined, SqlError.SqlError, SqlClient.SqlClient> =
  SqlClient.SqlClient.use((sql) =>
    transaction(
      sql,
      Effect.gen(function* () {
        const [row] = yield* sql<Row>`
        select caught_up_at is not null as "isCaughtUp", clicks::float8 as moved, moved as batch, mark::text as mark,
          greatest(0, extract(epoch from clock_timestamp() - current_at))::float8 as "lagSeconds",
          (select count(*)::integer from click_archive_attempts where state = 'abandoned') as abandoned
        from click_archive`
        if (row === undefined) return undefined
        const { mark, ...status } = row
        yield* sql`set local enable_seqscan = off`
        const [counted] = yield* sql<{ readonly waiting: number }>`
        select count(*)::float8 as waiting from (
          select from clicks
          where arrival >= pg_snapshot_xmin(${mark}::pg_snapshot) and not pg_visible_in_snapshot(arrival, ${mark}::pg_snapshot)
          limit ${mostCounted}) as found`
        const waiting = counted?.waiting ?? 0
        return { ...status, waiting, lagSeconds: waiting === 0 ? 0 : status.lagSeconds }
      })
    )
  ).pipe(Effect.withSpan("ArchiveStatus"))

/** The clicks that an attempt moved. */
export interface MovedBatch extends Tally {
  readonly attempt: number
}

/** The newest moved batches, at most `limit`. Their tallies are kept for 30 days, or until clicks are deleted by their ids. */
export const movedBatches = (limit: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql<MovedBatch>`
      select attempt, clicks::float8 as count, checksum from click_archive_attempts
      where state = 'moved' and checksum is not null order by attempt desc limit ${limit}`
  )
