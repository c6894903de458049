import { Clock, Duration, Effect, Layer, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { instant } from "./clickConditions.ts"
import { purgeIds } from "./counting/purgeIds.ts"

const deleted = Metric.counter("clicks_retention_deleted_total", {
  description: "Clicks deleted after CLICKS_RETENTION_DAYS",
  incremental: true
})

// Deleting 5,000 clicks with their index entries and counts takes a few tenths of a second. Recording does not wait for it.
const step = 5_000

// After each step, deletion pauses for four times as long as the step took, to leave the processors to recording.
const rest = 4

const pause = Duration.hours(1)
const pauseWhenAway = Duration.minutes(1)

/** Where a step ended, in the order of occurrence. */
interface Place {
  readonly occurred_at: Date
  readonly id: string
}

const deleteClicks = Effect.fnUntraced(function* (before: Date, last: Place | undefined) {
  const sql = yield* SqlClient.SqlClient
  const isFurther =
    last === undefined
      ? sql`true`
      : sql`(occurred_at, id) > (${instant(sql, last.occurred_at)}, ${last.id}::uuid)`
  const cutoff = instant(sql, before)
  const [row] = yield* sql<{ readonly deleted: number } & (Place | { readonly id: null })>`
    with looked_at as (
      select id, occurred_at, received_at from clicks
      where occurred_at < ${cutoff} and ${isFurther} order by occurred_at, id limit ${step}
    ), gone as (
      delete from clicks using looked_at where clicks.id = looked_at.id and looked_at.received_at < ${cutoff}
      returning clicks.id
    ), furthest as (
      select occurred_at, id from looked_at order by occurred_at desc, id desc limit 1
    )
    select (select count(*)::integer from gone) as deleted, furthest.* from (values (0)) as one left join furthest on true`
  return { deleted: row?.deleted ?? 0, last: row === undefined || row.id === null ? undefined : row }
})

const deleteOriginals = Effect.fnUntraced(function* (before: Date) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`
    delete from quarantined_clicks where ctid = any (array(
      select ctid from quarantined_clicks where received_at < ${instant(sql, before)} limit ${step}))
    returning 1`
  return rows.length
})

const resting = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.timed(effect).pipe(
    Effect.tap(([worked]) => Effect.sleep(Duration.times(worked, rest))),
    Effect.map(([, result]) => result)
  )

type Delete<R> = (before: Date) => Effect.Effect<number, unknown, R>

/**
 * Deletes the clicks that both occurred and were received before the instant, oldest first, in steps of a few tenths of a second. Returns
 * their number. Because of both conditions, a click with a wrong time, or an imported one, is kept as long as any other.
 */
const deleteOld: Delete<SqlClient.SqlClient> = Effect.fnUntraced(function* (before) {
  let total = 0
  let place: Place | undefined
  do {
    const done = yield* resting(deleteClicks(before, place))
    total += done.deleted
    place = done.last
  } while (place !== undefined)
  return total
})

/**
 * Deletes old clicks, the ids of their texts and visitors, and the quarantined originals received before the instant. Returns the number of
 * clicks.
 */
export const deleteBefore = <R = SqlClient.SqlClient>(
  before: Date,
  deleteFrom: Delete<R | SqlClient.SqlClient> = deleteOld
): Effect.Effect<number, unknown, R | SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const total = yield* deleteFrom(before)
    yield* Metric.update(deleted, total)
    if (total > 0) yield* purgeIds
    while ((yield* resting(deleteOriginals(before))) === step) {}
    return total
  }).pipe(Effect.withSpan("ClickRetention.deleteBefore"))

const turn = <R>(days: number, deleteFrom?: Delete<R | SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const before = new Date(now - Duration.toMillis(Duration.days(days)))
    const count = yield* deleteBefore(before, deleteFrom)
    if (count > 0)
      yield* Effect.logInfo(`Deleted clicks older than ${Duration.format(Duration.days(days))}: ${count}`)
    return pause
  }).pipe(
    Effect.tapError((error) => Effect.logDebug("Deleting old clicks failed", error)),
    Effect.orElseSucceed(() => pauseWhenAway),
    Effect.flatMap(Effect.sleep)
  )

/**
 * Deletes clicks older than `days`, at once and every hour. `deleteFrom` replaces the deletion if clicks are not only in the table
 * `clicks`. If several processes do this, each skips the clicks that another has deleted.
 */
export const layer = <R = never>(
  days: number,
  deleteFrom?: Delete<R | SqlClient.SqlClient>
): Layer.Layer<never, never, R | SqlClient.SqlClient> =>
  Layer.effectDiscard(Effect.forkScoped(Effect.forever(turn(days, deleteFrom))))
