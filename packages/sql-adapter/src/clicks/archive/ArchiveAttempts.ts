import type { Tally } from "@clicks/core/clicks/tiers/ClickArchive"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { transaction } from "../../transaction.ts"
import {
  type ArrivalRange,
  type Expired,
  endOfBatch,
  expiredColumns,
  isKept,
  isWithin,
  type Mark
} from "./arrivalRanges.ts"

/** A batch of clicks to move, with the number of its attempt. */
export interface OpenAttempt extends ArrivalRange, Expired {
  readonly attempt: number
  readonly count: number
}

interface State extends Expired {
  readonly last_attempt: number
  readonly mark: Mark
  readonly deletions: string
}

// Moving a batch takes some seconds. The mover never holds the whole batch in memory.
const batchSize = 500_000

// Every change of the attempts locks this row first.
const lockState = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    sql<State>`
      select last_attempt, mark::text as mark, deletions::text as deletions, ${sql.literal(expiredColumns)}
      from click_archive for update`,
    ([state]) => state
  )
)

const findBatch = Effect.fnUntraced(function* (state: State) {
  const { mark } = state
  const sql = yield* SqlClient.SqlClient
  // Counting 500,000 clicks takes a tenth of a second, but longer on a busy machine. The planner does not know that few clicks are new.
  yield* sql`set local statement_timeout = 0`
  yield* sql`set local enable_seqscan = off`
  yield* sql`set local enable_sort = off`
  const [end] = yield* endOfBatch(sql, mark, batchSize)
  if (end === undefined) return undefined
  const range: ArrivalRange = { from: mark, until: end.until }
  const [counted] = yield* sql<{ readonly clicks: number }>`
    select count(*)::float8 as clicks from clicks where ${isWithin(sql, range)} and ${isKept(sql, state)}`
  return { ...range, is_whole: end.is_whole, count: counted?.clicks ?? 0 }
})

/** Records that all clicks stored before the instant have been moved. */
const caughtUp = (at: Date) =>
  SqlClient.SqlClient.use(
    (sql) =>
      sql`update click_archive set current_at = ${at}, caught_up_at = coalesce(caught_up_at, clock_timestamp())`
  )

// Without new clicks, the state is written every ten seconds instead of every second.
const idle = SqlClient.SqlClient.use(
  (sql) => sql`
    update click_archive set current_at = clock_timestamp(), caught_up_at = coalesce(caught_up_at, clock_timestamp())
    where caught_up_at is null or current_at < clock_timestamp() - interval '10 seconds'`
)

const open = Effect.fnUntraced(function* (state: State) {
  const sql = yield* SqlClient.SqlClient
  const batch = yield* findBatch(state)
  if (batch === undefined || batch.count === 0) {
    if (batch?.is_whole === true) yield* idle
    return undefined
  }
  const attempt = state.last_attempt + 1
  yield* sql`update click_archive set last_attempt = ${attempt}`
  yield* sql`
    insert into click_archive_attempts (attempt, state, until, is_whole, deletions, active_at)
    values (${attempt}, 'open', ${batch.until}::pg_snapshot, ${batch.is_whole}, ${state.deletions}::bigint, clock_timestamp())`
  return { ...batch, attempt, expired: state.expired, expiredIds: state.expiredIds }
})

/**
 * Opens an attempt to move the next batch, with a new number. Abandons an attempt that has made no progress for `silentFor`. Returns
 * undefined if another attempt is open or no click has arrived after the mark.
 */
export const begin = (silentFor: Duration.Duration) =>
  SqlClient.SqlClient.use((sql) =>
    transaction(
      sql,
      Effect.gen(function* () {
        const state = yield* lockState
        if (state === undefined) return undefined
        yield* sql`
          update click_archive_attempts set state = 'abandoned'
          where state = 'open' and active_at <= clock_timestamp() - make_interval(secs => ${Duration.toSeconds(silentFor)})`
        const [other] = yield* sql`select attempt from click_archive_attempts where state = 'open'`
        return other === undefined ? yield* open(state) : undefined
      })
    )
  )

/** Renews the attempt. Returns false if it was abandoned. */
export const touch = (attempt: number) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql`
        update click_archive_attempts set active_at = clock_timestamp() where attempt = ${attempt} and state = 'open'
        returning attempt`,
      (rows) => rows.length > 0
    )
  )

/**
 * Marks the batch as moved, so that every later cut reads it from the archive. Returns false and changes nothing if the attempt was
 * abandoned, or if clicks that may already be in the archive were deleted.
 */
export const complete = (attempt: number, { checksum, count }: Tally) =>
  SqlClient.SqlClient.use((sql) =>
    transaction(
      sql,
      Effect.gen(function* () {
        const state = yield* lockState
        const [moved] = yield* sql<{
          readonly until: Mark
          readonly is_whole: boolean
          readonly begun_at: Date
        }>`
          update click_archive_attempts
          set state = 'moved', clicks = ${count}, checksum = ${checksum}, moved_at = clock_timestamp()
          where attempt = ${attempt} and state = 'open' and deletions = ${state?.deletions ?? null}::bigint
          returning until::text as until, is_whole, begun_at`
        if (moved === undefined) return false
        yield* sql`
          update click_archive set mark = ${moved.until}::pg_snapshot, moved = ${attempt}, clicks = clicks + ${count}`
        if (moved.is_whole) yield* caughtUp(moved.begun_at)
        return true
      })
    )
  )

/** Abandons the attempt for good, unless its batch is moved. */
export const abandon = (attempt: number) =>
  SqlClient.SqlClient.use(
    (sql) =>
      sql`update click_archive_attempts set state = 'abandoned' where attempt = ${attempt} and state = 'open'`
  )
