import type { CrawlSchedule } from "@clicks/core/tasks/CrawlSchedule"
import type { QueuedTask, Task } from "@clicks/core/tasks/Task"
import { toMinuteOfYear, toSecond } from "../program/instants.ts"
import { type Column, table } from "../program/Table.ts"

const time = (instant: Date | null): string => (instant === null ? "" : toSecond(instant))
// Without the year: with it nothing else would find room beside an id.
const minute = (instant: Date | null): string => (instant === null ? "" : toMinuteOfYear(instant))

const id = { title: "id", cell: (task: QueuedTask) => task.id, isWhole: true }
const kind = { title: "kind", cell: (task: QueuedTask) => task.kind }
const runAt = { title: "run at", cell: (task: QueuedTask) => minute(task.run_at), isWhole: true }

const state: Column<Task> = { title: "state", cell: (task) => task.state, isWhole: true }
const tries: Column<Task> = { title: "tries", cell: (task) => `${task.attempts}/${task.max_attempts}` }
const error: Column<Task> = { title: "error", cell: (task) => task.error ?? "" }

/** Tasks, a line each. Where one has an error, the errors take the room of the times. */
export const taskTable = (tasks: ReadonlyArray<Task>, width: number): string => {
  const failing = tasks.some((task) => task.error !== null)
  return table(failing ? [id, state, kind, error] : [id, state, kind, tries, runAt], tasks, width)
}

const payload: Column<QueuedTask> = { title: "payload", cell: (task) => JSON.stringify(task.payload) }

/** Tasks that were just made. */
export const queuedTable = (tasks: ReadonlyArray<QueuedTask>, width: number): string =>
  table([id, kind, payload, runAt], tasks, width)

const scheduleColumns: ReadonlyArray<Column<CrawlSchedule>> = [
  { title: "store", cell: (schedule) => schedule.store_id, isWhole: true },
  { title: "min", cell: (schedule) => String(schedule.interval_minutes) },
  { title: "on", cell: (schedule) => (schedule.enabled ? "yes" : "no") },
  { title: "priority", cell: (schedule) => String(schedule.priority) },
  { title: "last run", cell: (schedule) => minute(schedule.last_run_at), isWhole: true },
  { title: "next run", cell: (schedule) => minute(schedule.next_run_at), isWhole: true }
]

export const scheduleTable = (schedules: ReadonlyArray<CrawlSchedule>, width: number): string =>
  table(scheduleColumns, schedules, width)

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
