import {
  type FailedAttempt,
  type TaskLease,
  TaskLeases,
  type TaskSignal,
  workerLost
} from "@clicks/core/tasks/TaskLeases"
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { notifications } from "../notifications.ts"
import { operations } from "../operations.ts"
import { channel, notify, ready } from "./taskRows.ts"

interface SilentRow extends Pick<TaskLease, "id" | "attempt"> {
  readonly isLast: boolean
}

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { atomic, operation } = operations(sql, "TaskLeases", "task queue")
  const pg = yield* PgClient.PgClient

  const take = operation("take", function* (limit: number, except: ReadonlyArray<string>) {
    return yield* sql<TaskLease>`
      with next as (
        select id from tasks
        where state = 'waiting' and run_at <= now() and not (${sql.in("kind", except)})
        order by priority desc, created_at, id limit ${limit} for update skip locked
      ), taken as (
        update tasks set state = 'running', attempts = attempts + 1, started_at = now(), renewed_at = now()
        from next where tasks.id = next.id returning tasks.*
      )
      select id, kind, payload, attempts as attempt, max_attempts from taken
      order by priority desc, created_at, id`
  })

  /** Changes the tasks whose current attempt is that of the lease. Returns their ids. */
  const change = (leases: ReadonlyArray<Pick<TaskLease, "id" | "attempt">>, values: Statement.Fragment) =>
    leases.length === 0
      ? Effect.succeed<ReadonlySet<string>>(new Set())
      : sql<{ readonly id: string }>`
          update tasks set ${values}
          from jsonb_to_recordset(${JSON.stringify(leases)}::jsonb) as held (id uuid, attempt int)
          where tasks.id = held.id and attempts = held.attempt and state = 'running'
          returning tasks.id`.pipe(
          Effect.map((rows): ReadonlySet<string> => new Set(rows.map(({ id }) => id)))
        )

  const failed = (error: string) => sql`state = 'failed', error = ${error}, finished_at = now()`
  const waiting = (error: string, delay: Duration.Duration) =>
    sql`state = 'waiting', error = ${error}, run_at = now() + make_interval(secs => ${Duration.toSeconds(delay)})`

  const renew = operation("renew", function* (leases: ReadonlyArray<TaskLease>) {
    return yield* change(leases, sql`renewed_at = now()`)
  })

  const succeed = operation("succeed", function* (leases: ReadonlyArray<TaskLease>) {
    return yield* change(leases, sql`state = 'succeeded', error = null, finished_at = now()`)
  })

  const fail = operation("fail", function* (lease: TaskLease, { error, retryIn }: FailedAttempt) {
    const changed = yield* change([lease], retryIn === null ? failed(error) : waiting(error, retryIn))
    return changed.size > 0
  })

  const handBack = atomic("handBack", function* (leases: ReadonlyArray<TaskLease>, error?: string) {
    const values = sql`state = 'waiting', max_attempts = max_attempts + 1`
    yield* change(leases, error === undefined ? values : sql`${values}, error = ${error}`)
    yield* notify(sql, ready)
  })

  const recover = atomic("recover", function* (silentFor: Duration.Duration) {
    const silent = yield* sql<SilentRow>`
      select id, attempts as attempt, attempts >= max_attempts as "isLast" from tasks
      where state = 'running' and renewed_at < now() - make_interval(secs => ${Duration.toSeconds(silentFor)})
      for update skip locked`
    for (const row of silent) {
      const error = workerLost(row.attempt)
      yield* change([row], row.isLast ? failed(error) : waiting(error, Duration.zero))
    }
    if (silent.length > 0) yield* notify(sql, ready)
    return silent.map(({ id }) => id)
  })

  const signals = notifications<TaskSignal>(pg, channel, {
    connected: { _tag: "Ready" },
    heard: (payload) => (payload === ready ? { _tag: "Ready" } : { _tag: "Cancelled", id: payload }),
    // Without notifications, a worker still polls for tasks, and notices cancelled ones when it renews.
    longestPause: "5 seconds"
  })

  return TaskLeases.of({ take, renew, succeed, fail, handBack, recover, signals })
})

/** Leases the tasks in the table `tasks`. */
export const layer = Layer.effect(TaskLeases, make)
