import type { Task } from "@clicks/core/tasks/Task"
import { fromTasks as toBatch } from "@clicks/core/tasks/TaskBatch"
import type { TaskQuery } from "@clicks/core/tasks/TaskQuery"
import {
  notCancellable,
  notRetryable,
  TaskQueue,
  TaskQueueError,
  type TaskStateConflict
} from "@clicks/core/tasks/TaskQueue"
import { unstorableReason } from "@clicks/core/values/Text"
import { isUuid } from "@clicks/core/values/Uuid"
import { Array, Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { affected } from "./commandResponse.ts"
import { enqueueTasks } from "./enqueueTasks.ts"
import * as PgBossQueue from "./PgBossQueue.ts"
import { purgeTasks } from "./purgeTasks.ts"
import { fromTasks, hasState, type JobData, taskColumns } from "./taskRows.ts"
import { notifyCancelled, notifyReady } from "./taskSignals.ts"

type Failure = SqlError.SqlError | PgBossQueue.PgBossError

const toTaskQueueError = (operation: string) => (cause: Failure) => new TaskQueueError({ operation, cause })

const orConflict =
  (toError: (cause: Failure) => TaskQueueError) =>
  (error: Failure | TaskStateConflict): TaskQueueError | TaskStateConflict =>
    error._tag === "TaskStateConflict" ? error : toError(error)

type PageRow = { readonly total: number } & (Task | { readonly id: null })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const boss = yield* PgBossQueue.PgBossQueue
  const columns = taskColumns(sql)
  const tasks = fromTasks(sql)

  const find = (id: string) =>
    isUuid(id)
      ? Effect.map(sql<Task>`select ${columns} ${tasks} and id = ${id}`, Array.head)
      : Effect.succeedNone

  const get = Effect.fn("TaskQueue.get")(find, Effect.mapError(toTaskQueueError("get")))

  // Page and total come from one statement, so both are of one moment. The join keeps the total when the page is empty.
  const list = Effect.fn("TaskQueue.list")(
    function* ({ kind, limit, offset, state }: TaskQuery) {
      const condition = sql.and([
        ...(state === undefined ? [] : [hasState(sql, state)]),
        ...(kind === undefined ? [] : [unstorableReason(kind) ? sql`false` : sql`group_id = ${kind}`])
      ])
      const rows = yield* sql<PageRow>`
      select matching.total, page.*
      from (select count(*)::double precision as total ${tasks} and ${condition}) as matching
      left join (
        select ${columns} ${tasks} and ${condition}
        order by created_on desc, id desc limit ${limit} offset ${offset}
      ) as page on true
      order by page.created_at desc, page.id desc`
      const found = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row]))
      return { tasks: found, total: rows[0]?.total ?? 0, limit, offset }
    },
    Effect.mapError(toTaskQueueError("list"))
  )

  const batch = Effect.fn("TaskQueue.batch")(
    function* (id: string) {
      if (!isUuid(id)) return Option.none()
      const batch_id = id.toLowerCase()
      const rows = yield* sql<Task>`
      select ${columns} ${tasks} and data ->> 'batch_id' = ${batch_id} order by id`
      return rows.length === 0 ? Option.none() : Option.some(toBatch(batch_id, rows))
    },
    Effect.mapError(toTaskQueueError("batch"))
  )

  const retry = Effect.fn("TaskQueue.retry")(
    function* (id: string) {
      const found = yield* find(id)
      if (Option.isNone(found)) return found
      const { attempts, batch_id, max_attempts, payload, state } = found.value
      const retried = yield* boss.run((call) => call.boss.retry(call.queue, id, call.on))
      if (affected(retried) === 0) return yield* notRetryable(state)
      if (max_attempts <= attempts) {
        const data: JobData = { payload, batch_id, max_attempts: attempts + 1 }
        yield* boss.run((call) => call.boss.update(call.queue, data, { id, ...call.on }))
      }
      yield* notifyReady(sql)
      return yield* find(id)
    },
    boss.transaction,
    Effect.mapError(orConflict(toTaskQueueError("retry")))
  )

  const cancel = Effect.fn("TaskQueue.cancel")(
    function* (id: string) {
      if (!isUuid(id)) return Option.none()
      const called_off = yield* boss.run((call) => call.boss.cancel(call.queue, id, call.on))
      if (affected(called_off) > 0) yield* notifyCancelled(sql, id.toLowerCase())
      const found = yield* find(id)
      if (Option.isNone(found) || found.value.state === "cancelled") return found
      return yield* notCancellable(found.value.state)
    },
    boss.transaction,
    Effect.mapError(orConflict(toTaskQueueError("cancel")))
  )

  const enqueue = Effect.fn("TaskQueue.enqueue")(
    enqueueTasks(sql, boss),
    boss.transaction,
    Effect.mapError(toTaskQueueError("enqueue"))
  )

  const purge = Effect.fn("TaskQueue.purge")(
    purgeTasks(sql, boss),
    boss.transaction,
    Effect.mapError(toTaskQueueError("purge"))
  )

  return TaskQueue.of({ enqueue, get, list, batch, retry, cancel, purge })
})

/** Keeps tasks in pg-boss. */
export const layer: Layer.Layer<TaskQueue, never, SqlClient.SqlClient> = Layer.effect(TaskQueue, make).pipe(
  Layer.provide(PgBossQueue.layer)
)
