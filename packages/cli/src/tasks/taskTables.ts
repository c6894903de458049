import type { CrawlSchedule } from "@clicks/core/tasks/CrawlSchedule"
import type { QueuedTask, Task } from "@clicks/core/tasks/Task"
import { Clock, Effect } from "effect"
import { toSecond, toShort } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { type Column, table } from "../terminal/Table.ts"

/** Where a table is shown, and when. */
export interface Shown {
  /** Columns of the terminal. */
  readonly width: number
  readonly now: Date
}

/** Here and now. */
export const whereShown: Effect.Effect<Shown> = Effect.map(Clock.currentTimeMillis, (millis) => ({
  width: Output.width(),
  now: new Date(millis)
}))

const time = (instant: Date | null): string => (instant === null ? "" : toSecond(instant))
const short = (instant: Date | null, now: Date): string => (instant === null ? "" : toShort(instant, now))

const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const valuesOf = (payload: QueuedTask["payload"]): ReadonlyArray<unknown> =>
  typeof payload === "object" ? Object.values(payload ?? {}) : [payload]

// What it is for comes first: where the terminal is narrow, the end is cut.
const task: Column<QueuedTask> = {
  title: "task",
  cell: ({ kind, payload }) => [...valuesOf(payload).map(valueText), kind].join(" ")
}
const id: Column<QueuedTask> = { title: "id", cell: (task) => task.id, isWhole: true }
const runAt = (now: Date): Column<QueuedTask> => ({
  title: "run at",
  cell: (task) => short(task.run_at, now),
  isWhole: true
})
const state: Column<Task> = { title: "state", cell: (task) => task.state, isWhole: true }
const error: Column<Task> = { title: "error", cell: (task) => task.error ?? "" }

/** Tasks, a line each. Where one has an error, the errors take the room of the times. */
export const taskTable = (tasks: ReadonlyArray<Task>, { now, width }: Shown): string => {
  const failing = tasks.some((task) => task.error !== null)
  return table([id, state, task, failing ? error : runAt(now)], tasks, width)
}

/** Tasks that were just made. */
export const queuedTable = (tasks: ReadonlyArray<QueuedTask>, { now, width }: Shown): string =>
  table([id, task, runAt(now)], tasks, width)

export const scheduleTable = (schedules: ReadonlyArray<CrawlSchedule>, { now, width }: Shown): string =>
  table(
    [
      { title: "store", cell: (schedule) => schedule.store_id, isWhole: true },
      { title: "min", cell: (schedule) => String(schedule.interval_minutes) },
      { title: "on", cell: (schedule) => (schedule.enabled ? "yes" : "no") },
      { title: "priority", cell: (schedule) => String(schedule.priority) },
      { title: "last run", cell: (schedule) => short(schedule.last_run_at, now), isWhole: true },
      { title: "next run", cell: (schedule) => short(schedule.next_run_at, now), isWhole: true }
    ],
    schedules,
    width
  )

/** What is known of a task, a line each. */
export const taskLines = (task: Task): ReadonlyArray<readonly [string, string]> => [
  ["id", task.id],
  ["kind", task.kind],
  ["payload", JSON.stringify(task.payload)],
  ["state", task.state],
  ["error", task.error ?? ""],
  ["attempts", `${task.attempts} of ${task.max_attempts}`],
  ["priority", String(task.priority)],
  ["batch", task.batch_id ?? ""],
  ["run at", time(task.run_at)],
  ["created", time(task.created_at)],
  ["started", time(task.started_at)],
  ["finished", time(task.finished_at)]
]
