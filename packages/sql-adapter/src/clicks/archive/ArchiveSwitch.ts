import { Effect, Layer, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { lockTimeout, whileLocked } from "../../migrations/whileLocked.ts"
import { transaction } from "../../transaction.ts"

/** The schema changes that an archive needs, and when they are made. */

const thisSystem = "(select system_identifier::text from pg_control_system())"

// Applied at the first start with an archive. A trigger keeps ids unique even in processes without the setting. `create trigger` waits for
// transactions that write to the table.
const enabling = [
  `insert into click_archive (system) values (${thisSystem}) on conflict do nothing`,
  `create or replace trigger clicks_in_ledger before insert on clicks
    for each row when (substr(new.id::text, 15, 1) <> '7') execute function enter_click_ledger()`,
  `create or replace trigger clicks_deletion_noted after delete on clicks referencing old table as gone
    for each statement execute function note_click_deletion()`
]

// Applied after a dump was restored in another cluster, which numbers transactions anew. Moved clicks get a number below all numbers of the
// new cluster, other clicks one after the new mark.
const adopting = [
  "update clicks set arrival = '1' from click_archive where pg_visible_in_snapshot(arrival, mark)",
  "update clicks set arrival = '3' where arrival >= pg_snapshot_xmax(pg_current_snapshot())",
  "update click_archive_attempts set state = 'abandoned' where state = 'open'",
  "update click_archive_attempts set until = '3:3:'",
  `update click_archive set mark = '3:3:', system = ${thisSystem}`
]

const applyAll = (sql: SqlClient.SqlClient, statements: ReadonlyArray<string>) =>
  transaction(
    sql,
    Effect.gen(function* () {
      yield* sql`set local statement_timeout = 0`
      yield* sql`set local lock_timeout = ${sql.literal(`'${lockTimeout}'`)}`
      // Blocks inserts by others, and the same changes by other processes.
      yield* sql`lock table click_archive in exclusive mode`
      yield* Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
    })
  ).pipe(whileLocked)

interface State {
  readonly isOwn: boolean
  readonly isCaughtUp: boolean
}

const state = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    sql<State>`
      select system = ${sql.literal(thisSystem)} as "isOwn", caught_up_at is not null as "isCaughtUp" from click_archive`,
    ([row]) => row
  )
)

/** Prepares the database for an archive, unless that has been done. Clicks can be recorded meanwhile. */
export const enable: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* state
  if (found === undefined) return yield* applyAll(sql, enabling)
  if (!found.isOwn) yield* applyAll(sql, adopting)
})

interface Owner {
  readonly id: string
  readonly instance: string
  readonly lastAttempt: number
  readonly hasMoved: boolean
}

/**
 * The id by which an archive recognises this database, the database's cluster and number there (`instance`), the number of its newest attempt,
 * and whether clicks were moved to an archive. Undefined before `enable`.
 */
export const owner = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    sql<Owner>`
      select id::text as id, last_attempt as "lastAttempt", moved > 0 as "hasMoved",
        ${sql.literal(thisSystem)} || '/' || (select oid from pg_database where datname = current_database()) as instance
      from click_archive`,
    ([row]) => row
  )
)

/** Skips the numbers of attempts up to `last`. An archive must hold nothing under numbers of attempts that have not begun. */
export const skipAttempts = (last: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`update click_archive set last_attempt = greatest(last_attempt, ${last})`
  )

/** Whether clicks may have left this database. If so, it cannot be used without its archive. */
export const isRequired: Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient> = Effect.map(
  state,
  (found) => found?.isCaughtUp === true
)

// Afterwards, totals count rows.
const stopCounting = [
  "drop trigger clicks_deleted on clicks",
  "drop trigger clicks_truncated on clicks",
  "delete from click_keys",
  "truncate click_counts, click_chunks, click_texts, click_visitors",
  "update click_rollup set arrival = '3', since = 'infinity', beyond = '3'"
]

// Only the indexes of the baseline, not those that an operator has added.
const droppable = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    sql<{ readonly name: string }>`
      select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
      where indrelid = 'clicks'::regclass and relname ~ '^clicks_(in_listing_order|by_.*)$' and relname <> 'clicks_by_arrival'`,
    (rows) => rows.map(({ name }) => name)
  )
)

const isCounting = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    sql`select from pg_trigger where tgrelid = 'clicks'::regclass and tgname = 'clicks_deleted'`,
    (rows) => rows.length > 0
  )
)

/**
 * Once the archive has caught up, drops the indexes and counts that only a table with all clicks needs. Two indexes remain, so recording
 * costs less. Waits for readers that use them. Returns at once if there is nothing left to drop.
 */
export const shrink: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (!(yield* isRequired)) return
  const names = yield* droppable
  if (names.length > 0) {
    const connection = yield* sql.reserve
    const run = (statement: string) => connection.executeUnprepared(statement, [], undefined)
    yield* Effect.addFinalizer(() => Effect.ignore(run("reset statement_timeout")))
    yield* run("set statement_timeout = 0")
    yield* Effect.forEach(names, (name) => run(`drop index concurrently if exists ${name}`), {
      discard: true
    })
  }
  if (yield* isCounting) yield* applyAll(sql, stopCounting)
}).pipe(Effect.scoped)

/** Runs `shrink` every minute. */
export const layer: Layer.Layer<never, never, SqlClient.SqlClient> = shrink.pipe(
  Effect.catch((error) => Effect.logDebug("Dropping indexes of the clicks failed", error)),
  Effect.repeat(Schedule.spaced("1 minute")),
  Effect.forkScoped,
  Layer.effectDiscard
)
