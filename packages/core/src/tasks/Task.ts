import { Schema } from "effect"
import { instant } from "../values/Instant.ts"
import * as Uuid from "../values/Uuid.ts"
import { taskStates } from "./taskParameters.ts"

export const TaskState = Schema.Literals(taskStates).annotate({ identifier: "TaskState" })
export type TaskState = typeof TaskState.Type

/** Ready tasks with the highest priority run first. */
export const minPriority = -1000
export const maxPriority = 1000

export const TaskPriority = Schema.Int.check(
  Schema.isBetween(
    { minimum: minPriority, maximum: maxPriority },
    { message: `must be a whole number, from ${minPriority} to ${maxPriority}` }
  )
).annotate({ description: "Ready tasks with the highest priority run first", examples: [0] })

const id = Schema.String.annotate({ description: "UUID of the task", format: "uuid" })
const kind = Schema.String.annotate({ examples: ["store-crawl"] })
const payload = Schema.Json.annotate({ description: "Input of the task, as its kind requires" })

/** A piece of work for a worker. */
export const Task = Schema.Struct({
  id,
  kind,
  payload,
  state: TaskState,
  priority: Schema.Int.annotate({ description: "Ready tasks with the highest priority run first" }),
  run_at: instant("Earliest start of the next attempt"),
  attempts: Schema.Int.annotate({ description: "Number of started attempts" }),
  max_attempts: Schema.Int.annotate({
    description: "Maximum attempts before a failure is final; grows by one when a worker hands the task back"
  }),
  batch_id: Schema.NullOr(Schema.String).annotate({ description: "Batch of the task" }),
  error: Schema.NullOr(Schema.String).annotate({ description: "Error of the last finished attempt" }),
  created_at: instant("Creation time"),
  started_at: Schema.NullOr(instant("Start of the latest attempt")),
  finished_at: Schema.NullOr(instant("Time when the task finished"))
}).annotate({ identifier: "Task" })
export interface Task extends Schema.Schema.Type<typeof Task> {}

/** A task as returned on creation. */
export const QueuedTask = Schema.Struct({
  id,
  kind,
  payload,
  run_at: instant("Earliest start")
}).annotate({
  identifier: "QueuedTask"
})
export interface QueuedTask extends Schema.Schema.Type<typeof QueuedTask> {}

/** A task to create. The payload is in the stored form of its kind. */
export interface NewTask {
  readonly id: string
  readonly kind: string
  readonly payload: Schema.Json
  readonly priority: number
  /** The earliest start; null starts the task immediately. */
  readonly run_at: Date | null
  readonly max_attempts: number
  readonly batch_id: string | null
}

/** With the delays of `retryDelay`, five attempts take about a minute and a half. */
const defaultMaxAttempts = 5

/** A task with a new id. By default, it has priority 0, is ready immediately and belongs to no batch. */
export const newTask = (
  {
    batch_id = null,
    kind,
    max_attempts = defaultMaxAttempts,
    payload,
    priority = 0,
    run_at = null,
    ...given
  }: Pick<NewTask, "kind" | "payload"> & Partial<NewTask>,
  now: number
): NewTask => ({ id: given.id ?? Uuid.make(now), kind, payload, priority, run_at, max_attempts, batch_id })

/** Whether the state is final. A failed task can still be retried by a user. */
export const isFinished = (state: TaskState): boolean =>
  state === "succeeded" || state === "failed" || state === "cancelled"
