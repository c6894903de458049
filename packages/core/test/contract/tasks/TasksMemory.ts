import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import type { NewTask, Task, TaskState } from "@clicks/core/tasks/Task"
import { fromTasks } from "@clicks/core/tasks/TaskBatch"
import { TaskLeases, type TaskSignal } from "@clicks/core/tasks/TaskLeases"
import { notCancellable, notRetryable, TaskQueue, type TaskStateConflict } from "@clicks/core/tasks/TaskQueue"
import { Clock, Context, Effect, Layer, Option, PubSub } from "effect"
import * as CrawlSchedulesMemory from "./CrawlSchedulesMemory.ts"
import * as TaskLeasesMemory from "./TaskLeasesMemory.ts"
import { compareTasks, fromNew, type TaskRow, type TaskRows, toTask } from "./TaskLeasesMemory.ts"

interface Change {
  readonly from: ReadonlyArray<TaskState>
  readonly refusal: (state: TaskState) => TaskStateConflict
  readonly to: (row: TaskRow, now: Date) => Partial<TaskRow>
}

const retrying: Change = {
  from: ["failed"],
  refusal: notRetryable,
  to: ({ attempts, max_attempts }) => ({
    state: "waiting",
    finished_at: null,
    max_attempts: Math.max(max_attempts, attempts + 1)
  })
}

const cancelling: Change = {
  from: ["scheduled", "ready", "running", "cancelled"],
  refusal: notCancellable,
  to: ({ finished_at }, now) => ({ state: "cancelled", finished_at: finished_at ?? now })
}

/** Deletes tasks that finished before the instant, batches only as a whole. Returns their number. */
const purge = (rows: TaskRows, before: Date): number => {
  const isOld = ({ finished_at }: TaskRow) => finished_at !== null && finished_at < before
  const kept = new Set(
    Array.from(rows.values()).flatMap((row) => (isOld(row) ? [] : (row.batch_id ?? row.id)))
  )
  const old = Array.from(rows.values()).filter((row) => !kept.has(row.batch_id ?? row.id))
  for (const { id } of old) rows.delete(id)
  return old.length
}

const makeQueue = (rows: TaskRows, signals: PubSub.PubSub<TaskSignal>): TaskQueue["Service"] => {
  const get = (id: string) =>
    Effect.map(Clock.currentTimeMillis, (now) =>
      Option.map(Option.fromUndefinedOr(rows.get(id)), (row) => toTask(row, now))
    )

  const listing = (matches: (task: Task) => boolean) =>
    Effect.map(Clock.currentTimeMillis, (now) =>
      Array.from(rows.values(), (row) => toTask(row, now))
        .filter(matches)
        .sort(compareTasks)
    )

  const enqueue = Effect.fn("TaskQueue.enqueue")(function* (tasks: ReadonlyArray<NewTask>) {
    const now = yield* Clock.currentTimeMillis
    for (const task of tasks) if (!rows.has(task.id)) rows.set(task.id, fromNew(task, now))
    yield* PubSub.publish(signals, { _tag: "Ready" })
    return (yield* Effect.forEach(tasks, ({ id }) => get(id))).flatMap(Option.toArray)
  })

  const change = Effect.fnUntraced(function* (id: string, { from, refusal, to }: Change, signal: TaskSignal) {
    const now = yield* Clock.currentTimeMillis
    const row = rows.get(id)
    if (row === undefined) return Option.none()
    const { state } = toTask(row, now)
    if (!from.includes(state)) return yield* refusal(state)
    rows.set(id, { ...row, ...to(row, new Date(now)) })
    yield* PubSub.publish(signals, signal)
    return yield* get(id)
  })

  return TaskQueue.of({
    enqueue,
    get,
    list: ({ kind, limit, offset, state }) =>
      Effect.map(
        listing((task) => task.state === (state ?? task.state) && task.kind === (kind ?? task.kind)),
        (found) => ({ tasks: found.slice(offset, offset + limit), total: found.length, limit, offset })
      ),
    batch: (batch_id) =>
      Effect.map(
        listing((task) => task.batch_id === batch_id),
        (tasks) =>
          tasks.length === 0
            ? Option.none()
            : Option.some(
                fromTasks(
                  batch_id,
                  tasks.toSorted((a, b) => (a.id < b.id ? -1 : 1))
                )
              )
      ),
    retry: (id) => change(id, retrying, { _tag: "Ready" }),
    cancel: (id) => change(id, cancelling, { _tag: "Cancelled", id }),
    purge: (before) => Effect.sync(() => purge(rows, before))
  })
}

/** Keeps tasks and schedules in this process's memory, for tests and prototypes. They are lost when the process ends. */
export const layer: Layer.Layer<TaskQueue | TaskLeases | CrawlSchedules> = Layer.effectContext(
  Effect.gen(function* () {
    const rows: TaskRows = new Map()
    const signals = yield* PubSub.unbounded<TaskSignal>()
    const queue = makeQueue(rows, signals)
    return Context.make(TaskQueue, queue).pipe(
      Context.add(TaskLeases, TaskLeasesMemory.make(rows, signals)),
      Context.add(CrawlSchedules, CrawlSchedulesMemory.make(rows, queue))
    )
  })
)
