import type { TaskSignal } from "@clicks/core/tasks/TaskLeases"
import { PgClient } from "@effect/sql-pg"
import { Effect, Schedule, Stream } from "effect"
import type { SqlClient } from "effect/sql"

const channel = "clicks_tasks"
const cancelled = "cancelled "

/** Announces tasks that may be ready, when the transaction commits. */
export const notifyReady = (sql: SqlClient.SqlClient) => sql`select pg_notify(${channel}, 'ready')::text`

export const notifyCancelled = (sql: SqlClient.SqlClient, id: string) =>
  sql`select pg_notify(${channel}, ${cancelled + id})::text`

const ready: TaskSignal = { _tag: "Ready" }

const parse = (payload: string): TaskSignal =>
  payload.startsWith(cancelled) ? { _tag: "Cancelled", id: payload.slice(cancelled.length) } : ready

/** Signals to workers. A listener that lost its connection reconnects and starts with `Ready`, because it may have missed some. */
export const taskSignals: Stream.Stream<TaskSignal, never, PgClient.PgClient> = Stream.unwrap(
  PgClient.PgClient.use((pg) => pg.listen(channel)).pipe(
    Effect.map((notifications) =>
      Stream.fromQueue(notifications).pipe(
        Stream.map(({ payload }) => parse(payload)),
        Stream.prepend([ready])
      )
    )
  )
).pipe(
  Stream.tapError((error) => Effect.logDebug("Listening for task notifications failed", error)),
  Stream.retry(Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])),
  Stream.orDie
)
