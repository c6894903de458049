import type { CrawlSchedule } from "@clicks/core/tasks/CrawlSchedule"
import type { QueuedTask, Task } from "@clicks/core/tasks/Task"
import { toShort } from "../terminal/format.ts"
import type { Column } from "../terminal/Table.ts"

const short = (instant: Date | null, now: Date): string => (instant === null ? "" : toShort(instant, now))

/** A text as it is; other values as JSON. */
export const valueText = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value)

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

/** Columns of tasks. Beside full ids, 80 terminal columns have room for errors or times, not for both. */
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
