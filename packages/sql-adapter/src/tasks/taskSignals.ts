import type { TaskSignal } from "@clicks/core/tasks/TaskLeases"
import { PgClient } from "@effect/sql-pg"
import { Effect, Schedule, Stream } from "effect"
import type { SqlClient } from "effect/sql"

const channel = "clicks_tasks"
const cancelled = "cancelled "

/** Says that there may be something to take. Heard when the transaction is committed. */
export const notifyReady = (sql: SqlClient.SqlClient) => sql`select pg_notify(${channel}, 'ready')::text`

export const notifyCancelled = (sql: SqlClient.SqlClient, id: string) =>
  sql`select pg_notify(${channel}, ${cancelled + id})::text`

const parse = (payload: string): TaskSignal =>
  payload.startsWith(cancelled)
    ? { _tag: "Cancelled", id: payload.slice(cancelled.length) }
    : { _tag: "Ready" }

const ready: TaskSignal = { _tag: "Ready" }

const again = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("5 seconds")])

const listen = Effect.fnUntraced(function* () {
  const pg = yield* PgClient.PgClient
  const heard = yield* pg.listen(channel)
  const signals = Stream.fromQueue(heard).pipe(Stream.map(({ payload }) => parse(payload)))
  return Stream.concat(Stream.succeed(ready), signals)
})

/** What workers are told. A listener that is cut off comes back, with a `ready` for what it missed. */
export const taskSignals: Stream.Stream<TaskSignal, never, PgClient.PgClient> = Stream.unwrap(listen()).pipe(
  Stream.tapError((error) => Effect.logDebug("Listening for task notifications failed", error)),
  Stream.retry(again),
  Stream.orDie
)
