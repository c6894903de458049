import { Clock, Effect, Option, PubSub } from "effect"
import type { NewTask, Task } from "../Task.ts"
import { fromTasks } from "../TaskBatch.ts"
import type { TaskSignal } from "../TaskLeases.ts"
import { notCancellable, notRetryable, type TaskQuery, TaskQueue } from "../TaskQueue.ts"
import { fromNew, type TaskTable, toTask } from "./TaskTable.ts"

const byId = (a: Task, b: Task): number => (a.id < b.id ? -1 : 1)

const matches =
  ({ kind, state }: TaskQuery) =>
  (task: Task): boolean =>
    (state === undefined || task.state === state) && (kind === undefined || task.kind === kind)

/** A queue in this process's memory. */
export const make = (table: TaskTable, signals: PubSub.PubSub<TaskSignal>): TaskQueue["Service"] => {
  const now = Clock.currentTimeMillis
  const get = (id: string) => Effect.map(now, (at) => Option.map(rowOf(id), (row) => toTask(row, at)))
  const rowOf = (id: string) => Option.fromUndefinedOr(table.rows.get(id))

  const enqueue = Effect.fn("TaskQueue.enqueue")(function* (tasks: ReadonlyArray<NewTask>) {
    const at = yield* now
    for (const task of tasks) if (!table.rows.has(task.id)) table.rows.set(task.id, fromNew(task, at))
    yield* PubSub.publish(signals, { _tag: "Ready" })
    return tasks.flatMap(({ id }) => Option.toArray(Option.map(rowOf(id), (row) => toTask(row, at))))
  })

  const retry = Effect.fn("TaskQueue.retry")(function* (id: string) {
    const found = yield* get(id)
    if (Option.isNone(found)) return found
    const { attempts, max_attempts, state } = found.value
    if (state !== "failed") return yield* notRetryable(state)
    table.update(id, {
      state: "waiting",
      finished_at: null,
      max_attempts: Math.max(max_attempts, attempts + 1)
    })
    yield* PubSub.publish(signals, { _tag: "Ready" })
    return yield* get(id)
  })

  const cancel = Effect.fn("TaskQueue.cancel")(function* (id: string) {
    const found = yield* get(id)
    if (Option.isNone(found) || found.value.state === "cancelled") return found
    const { state } = found.value
    if (state === "succeeded" || state === "failed") return yield* notCancellable(state)
    table.update(id, { state: "cancelled", finished_at: new Date(yield* now) })
    yield* PubSub.publish(signals, { _tag: "Cancelled", id })
    return yield* get(id)
  })

  return TaskQueue.of({
    enqueue,
    get,
    list: (query) =>
      Effect.map(now, (at) => {
        const found = table.listing(at).filter(matches(query))
        const { limit, offset } = query
        return { tasks: found.slice(offset, offset + limit), total: found.length, limit, offset }
      }),
    batch: (batch_id) =>
      Effect.map(now, (at) => {
        const tasks = table.listing(at).filter((task) => task.batch_id === batch_id)
        return tasks.length === 0 ? Option.none() : Option.some(fromTasks(batch_id, tasks.toSorted(byId)))
      }),
    retry,
    cancel,
    purge: (before) => Effect.sync(() => table.purge(before))
  })
}
