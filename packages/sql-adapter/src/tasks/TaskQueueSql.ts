import type { NewTask, Task } from "@clicks/core/tasks/Task"
import { fromTasks as toBatch } from "@clicks/core/tasks/TaskBatch"
import type { TaskQuery } from "@clicks/core/tasks/TaskQueue"
import { notCancellable, notRetryable, TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { unstorableReason } from "@clicks/core/values/Text"
import { isUuid } from "@clicks/core/values/Uuid"
import { Array, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { operations } from "../operations.ts"
import { enqueueTasks, hasState, notify, ready, taskColumns } from "./taskRows.ts"

type PageRow = { readonly total: number } & (Task | { readonly id: null })

// The number of tasks deleted by one statement, limited so that none takes long.
const purgedAtOnce = 1000

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { atomic, operation } = operations(sql, "TaskQueue", "task queue")
  const columns = taskColumns(sql)
  const find = (id: string) =>
    isUuid(id)
      ? Effect.map(sql<Task>`select ${columns} from tasks where id = ${id}`, Array.head)
      : Effect.succeedNone

  const get = operation("get", function* (id: string) {
    return yield* find(id)
  })

  // Page and total come from one statement, so from one snapshot. The join keeps the total if the page is empty.
  const list = operation("list", function* ({ kind, limit, offset, state }: TaskQuery) {
    const condition = sql.and([
      sql`true`,
      ...(state === undefined ? [] : [hasState(sql, state)]),
      ...(kind === undefined ? [] : [unstorableReason(kind) ? sql`false` : sql`kind = ${kind}`])
    ])
    const rows = yield* sql<PageRow>`
      select matching.total, page.*
      from (select count(*)::double precision as total from tasks where ${condition}) as matching
      left join (
        select ${columns} from tasks where ${condition}
        order by created_at desc, id desc limit ${limit} offset ${offset}
      ) as page on true
      order by page.created_at desc, page.id desc`
    const found = rows.flatMap(({ total: _, ...row }) => (row.id === null ? [] : [row]))
    return { tasks: found, total: rows[0]?.total ?? 0, limit, offset }
  })

  const batch = operation("batch", function* (id: string) {
    if (!isUuid(id)) return Option.none()
    const rows = yield* sql<Task>`select ${columns} from tasks where batch_id = ${id} order by id`
    return rows.length === 0 ? Option.none() : Option.some(toBatch(id.toLowerCase(), rows))
  })

  const retry = atomic("retry", function* (id: string) {
    if (!isUuid(id)) return Option.none()
    const retried = yield* sql`
      update tasks set state = 'waiting', max_attempts = greatest(max_attempts, attempts + 1), finished_at = null
      where id = ${id} and state = 'failed' returning id`
    const found = yield* find(id)
    if (retried.length > 0) yield* notify(sql, ready)
    else if (Option.isSome(found)) return yield* notRetryable(found.value.state)
    return found
  })

  const cancel = atomic("cancel", function* (id: string) {
    if (!isUuid(id)) return Option.none()
    const cancelled = yield* sql`
      update tasks set state = 'cancelled', finished_at = now()
      where id = ${id} and state in ('waiting', 'running') returning id`
    if (cancelled.length > 0) yield* notify(sql, id.toLowerCase())
    const found = yield* find(id)
    if (Option.isNone(found) || found.value.state === "cancelled") return found
    return yield* notCancellable(found.value.state)
  })

  const enqueue = atomic("enqueue", function* (tasks: ReadonlyArray<NewTask>) {
    return yield* enqueueTasks(sql, tasks)
  })

  const purge = operation("purge", function* (before: Date) {
    const deleted = yield* sql`
      with old as (
        select id, batch_id from tasks
        where created_at < ${before} and finished_at < ${before} and not exists (
          select from tasks as member
          where member.batch_id = tasks.batch_id and (member.finished_at < ${before}) is not true
        )
        order by created_at limit ${purgedAtOnce}
      )
      delete from tasks
      -- Checked again because a task may have been retried while this statement waited for its lock.
      where finished_at < ${before} and (
        id in (select id from old where batch_id is null) or batch_id in (select batch_id from old)
      )
      returning id`
    return deleted.length
  })

  return TaskQueue.of({ enqueue, get, list, batch, retry, cancel, purge })
})

/** Keeps tasks in the table `tasks`. */
export const layer: Layer.Layer<TaskQueue, never, SqlClient.SqlClient> = Layer.effect(TaskQueue, make)
