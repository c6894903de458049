import type { Cut, Deletion } from "@clicks/core/clicks/tiers/Cut"
import type { SqlClient, Statement } from "effect/sql"
import { instant } from "../clickConditions.ts"

type Sql = SqlClient.SqlClient

/** A `pg_snapshot` as text: the transactions whose clicks have been moved. */
export type Mark = string

/** The clicks that arrived after one mark and up to another: a range in the index of arrivals. */
export interface ArrivalRange {
  readonly from: Mark
  readonly until: Mark
}

/** The range of a cut, which holds it as the text `from|until`. */
export const rangeOf = ({ arrivals }: Cut): ArrivalRange => {
  const [from = "", until = ""] = arrivals.split("|")
  return { from, until }
}

export const isWithin = (sql: Sql, { from, until }: ArrivalRange): Statement.Fragment => sql`
  arrival >= pg_snapshot_xmin(${from}::pg_snapshot) and arrival < pg_snapshot_xmax(${until}::pg_snapshot)
  and not pg_visible_in_snapshot(arrival, ${from}::pg_snapshot) and pg_visible_in_snapshot(arrival, ${until}::pg_snapshot)`

/** Whether the deletion includes a click (`isDeletedBy` in core). */
export const isDeletedBy = (sql: Sql, deletion: Deletion): Statement.Fragment =>
  deletion instanceof Date
    ? sql`(occurred_at < ${instant(sql, deletion)} and received_at < ${instant(sql, deletion)})`
    : sql`id between ${deletion.first}::uuid and ${deletion.last}::uuid`

/** The deletions in progress. */
export type Expired = Pick<Cut, "expired" | "expiredIds">

/** Whether a click is not deleted (`isExpired` in core). */
export const isKept = (sql: Sql, { expired, expiredIds }: Expired): Statement.Fragment =>
  sql.and([
    sql`true`,
    ...[expired, expiredIds].flatMap((deletion) =>
      deletion === null ? [] : [sql`not ${isDeletedBy(sql, deletion)}`]
    )
  ])

/** The columns of `click_archive` that make up `Expired`. */
export const expiredColumns = `expired,
  case when expired_first is not null then json_build_object('first', expired_first, 'last', expired_last) end as "expiredIds"`

interface BatchEnd {
  readonly until: Mark
  /** Whether the batch ends with the newest click. */
  readonly is_whole: boolean
}

/**
 * The end of the batch that begins at the mark. It is the current snapshot or, if more than `size` new clicks are visible in that, an
 * earlier end after about `size` clicks. A batch never ends within a transaction.
 *
 * The earlier end is a snapshot too: the current one cut off at a transaction. The transactions below it that are still in progress stay
 * excluded.
 */
export const endOfBatch = (sql: Sql, mark: Mark, size: number): Statement.Statement<BatchEnd> => sql`
  with moment as materialized (select pg_current_snapshot() as now),
  last as (
    select arrival from clicks, moment
    where arrival >= pg_snapshot_xmin(${mark}::pg_snapshot) and not pg_visible_in_snapshot(arrival, ${mark}::pg_snapshot)
      and pg_visible_in_snapshot(arrival, moment.now)
    order by arrival offset ${size} limit 1
  ),
  cut as (
    select greatest((arrival::text::numeric + 1)::text::xid8, pg_snapshot_xmax(${mark}::pg_snapshot)) as xmax from last
  ),
  in_progress as (
    select xip from moment, pg_snapshot_xip(moment.now) as xip, cut where xip < cut.xmax
  )
  select
    coalesce(
      (select format('%s:%s:%s', coalesce((select xip from in_progress order by xip limit 1), cut.xmax), cut.xmax,
        (select string_agg(xip::text, ',' order by xip) from in_progress)) from cut),
      moment.now::text) as until,
    not exists (select from last) as is_whole
  from moment`
