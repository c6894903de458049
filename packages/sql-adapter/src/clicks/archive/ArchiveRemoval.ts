import type { Deletion, IdRange } from "@clicks/core/clicks/tiers/Cut"
import { Duration, Effect } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { transaction } from "../../transaction.ts"
import { instant } from "../clickConditions.ts"
import { isDeletedBy, type Mark } from "./arrivalRanges.ts"

/** Deletes clicks in steps of a few tenths of a second. Recording does not wait for them. */

const size = 5_000

// After each step, deletion pauses for twice as long as the step took.
const rest = 2

interface Step {
  readonly clicks: number
  /** The last transaction whose clicks were deleted; null if none were left. */
  readonly last: string | null
}

type Sql = SqlClient.SqlClient

const inSteps = (step: (sql: Sql, from: string) => Statement.Statement<Step>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    let removed = 0
    let from: string | null = "0"
    while (from !== null) {
      const next: Statement.Statement<Step> = step(sql, from)
      const [worked, [done]] = yield* Effect.timed(
        transaction(
          sql,
          // The planner does not know how few clicks are left.
          sql`set local statement_timeout = 0`.pipe(
            Effect.andThen(sql`set local enable_seqscan = off`),
            Effect.andThen(next)
          )
        )
      )
      removed += done?.clicks ?? 0
      from = done?.last ?? null
      if (from !== null) yield* Effect.sleep(Duration.times(worked, rest))
    }
    return removed
  })

/**
 * The newest batch whose clicks may be deleted. The switch to the archive must also be older than `before`, because readers that began
 * before the switch use the hot store alone.
 */
const newestBatch = (sql: Sql, before: Date) => sql<{ readonly attempt: number; readonly until: Mark }>`
  select attempt, until::text as until from click_archive_attempts, click_archive
  where state = 'moved' and moved_at < ${instant(sql, before)} and caught_up_at < ${instant(sql, before)}
  order by attempt desc limit 1`

// The ids must enter the ledger first, as in the trigger `enter_click_ledger`; otherwise, a late retry of a click could be stored again.
// The count makes the deletion wait for the insert.
const movedStep = (until: Mark, before: Date) => (sql: Sql, from: string) =>
  sql<Step>`
  with leaving as materialized (
    select id, arrival from clicks
    where arrival >= ${from}::xid8 and arrival < pg_snapshot_xmax(${until}::pg_snapshot)
      and pg_visible_in_snapshot(arrival, ${until}::pg_snapshot) and occurred_at < ${instant(sql, before)}
    order by arrival limit ${size}
  ), entered as (
    insert into click_ledger (id) select id from leaving where substr(id::text, 15, 1) <> '7' order by id
    on conflict do nothing returning id
  ), gone as (
    delete from clicks using leaving where clicks.id = leaving.id and (select count(*) from entered) >= 0
    returning clicks.occurred_at
  ), noted as (
    update click_archive set removed_until = greatest(removed_until, (select max(occurred_at) from gone))
  )
  select (select count(*)::integer from gone) as clicks,
    (select arrival::text from leaving order by arrival desc limit 1) as last`

// Tallies are kept for `clicks archive verify`.
const tallyDays = 30

/** Deletes the clicks that occurred before the instant and whose batch was moved before it. Returns their number. */
export const removeMoved = (before: Date): Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [batch] = yield* newestBatch(sql, before)
    if (batch === undefined) return 0
    yield* sql`
      delete from click_archive_attempts
      where state = 'moved' and attempt < ${batch.attempt} and moved_at < now() - make_interval(days => ${tallyDays})`
    return yield* inSteps(movedStep(batch.until, before))
  }).pipe(Effect.withSpan("ArchiveRemoval.removeMoved"))

/** Excludes clicks from all later cuts and moves. */
export const expire = (deletion: Deletion) =>
  SqlClient.SqlClient.use((sql) =>
    transaction(
      sql,
      sql`update click_archive set ${
        deletion instanceof Date
          ? sql`expired = greatest(expired, ${instant(sql, deletion)})`
          : sql`expired_first = ${deletion.first}::uuid, expired_last = ${deletion.last}::uuid`
      }`.pipe(Effect.andThen(sql`update click_archive_attempts set state = 'abandoned' where state = 'open'`))
    )
  )

const expiredStep = (deletion: Deletion) => (sql: Sql, from: string) =>
  sql<Step>`
  with leaving as materialized (
    select id, arrival from clicks
    where arrival >= ${from}::xid8 and ${isDeletedBy(sql, deletion)}
    order by arrival limit ${size}
  ), gone as (
    delete from clicks using leaving where clicks.id = leaving.id returning clicks.id
  )
  select (select count(*)::integer from gone) as clicks,
    (select arrival::text from leaving order by arrival desc limit 1) as last`

// Batches that have lost clicks can no longer be compared with what was sent, so their checksums are removed.
const endOfIds = (sql: Sql, { first, last }: IdRange) =>
  transaction(
    sql,
    sql`delete from click_ledger where id between ${first}::uuid and ${last}::uuid`.pipe(
      Effect.andThen(sql`update click_archive_attempts set checksum = null where state = 'moved'`),
      Effect.andThen(sql`
        update click_archive set expired_first = null, expired_last = null
        where expired_first = ${first}::uuid and expired_last = ${last}::uuid`)
    )
  )

/** Deletes the clicks of a deletion. Returns their number. */
export const removeExpired = (
  deletion: Deletion
): Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const removed = yield* inSteps(expiredStep(deletion))
    yield* deletion instanceof Date
      ? sql`update click_archive set expired = null where expired <= ${instant(sql, deletion)}`
      : endOfIds(sql, deletion)
    return removed
  }).pipe(Effect.withSpan("ArchiveRemoval.removeExpired"))
