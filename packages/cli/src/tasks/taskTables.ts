import type { CrawlSchedule } from "@clicks/core/tasks/CrawlSchedule"
import type { QueuedTask, Task } from "@clicks/core/tasks/Task"
import { toSecond, toShort } from "../terminal/format.ts"
import type { Column } from "../terminal/Table.ts"

const time = (instant: Date | null): string => (instant === null ? "" : toSecond(instant))
const short = (instant: Date | null, now: Date): string => (instant === null ? "" : toShort(instant, now))

const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))

const valuesOf = (payload: QueuedTask["payload"]): ReadonlyArray<unknown> =>
  typeof payload === "object" ? Object.values(payload ?? {}) : [payload]

const id: Column<QueuedTask> = { title: "id", cell: (task) => task.id, isWhole: true }
const kind: Column<QueuedTask> = { title: "kind", cell: (task) => task.kind }
const payload: Column<QueuedTask> = {
  title: "payload",
  cell: (task) => valuesOf(task.payload).map(valueText).join(" ")
}

/** Columns of tasks that were just queued. */
export const queuedColumns = (now = new Date()): ReadonlyArray<Column<QueuedTask>> => [
  id,
  kind,
  payload,
  { title: "run at", cell: (task) => short(task.run_at, now), isWhole: true }
]

const error: Column<Task> = { title: "error", cell: (task) => task.error ?? "" }
const scheduledAt = (now: Date): Column<Task> => ({
  title: "run at",
  cell: (task) => (task.state === "scheduled" ? short(task.run_at, now) : ""),
  isWhole: true,
  isOptional: true
})

/** Columns of tasks. Beside ids in full, 80 terminal columns have room for errors or for times, not for both. */
export const taskColumns = (tasks: ReadonlyArray<Task>, now = new Date()): ReadonlyArray<Column<Task>> => [
  id,
  { title: "state", cell: (task) => task.state, isWhole: true },
  kind,
  payload,
  tasks.some((task) => task.error !== null) ? error : scheduledAt(now)
]

export const scheduleColumns = (now = new Date()): ReadonlyArray<Column<CrawlSchedule>> => [
  { title: "store", cell: (schedule) => schedule.store_id, isWhole: true },
  { title: "min", cell: (schedule) => String(schedule.interval_minutes) },
  { title: "on", cell: (schedule) => (schedule.enabled ? "yes" : "no") },
  { title: "priority", cell: (schedule) => String(schedule.priority) },
  { title: "last run", cell: (schedule) => short(schedule.last_run_at, now), isWhole: true },
  { title: "next run", cell: (schedule) => short(schedule.next_run_at, now), isWhole: true }
]

/** The details of a task, one per line. */
export const taskLines = (task: Task): ReadonlyArray<readonly [name: string, text: string]> => [
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
