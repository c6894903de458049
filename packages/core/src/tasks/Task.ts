import { Schema } from "effect"

/** States of a task. `scheduled` waits for its time (also between attempts), `ready` for a worker. The last three are ends. */
export const taskStates = ["scheduled", "ready", "running", "succeeded", "failed", "cancelled"] as const
export const TaskState = Schema.Literals(taskStates)
export type TaskState = typeof TaskState.Type

const instant = (description: string) =>
  Schema.DateFromString.pipe(
    Schema.annotateEncoded({ description, format: "date-time", examples: ["2026-11-20T10:00:00.000Z"] })
  )

/** A piece of work for a worker. */
export const Task = Schema.Struct({
  id: Schema.String.annotate({ description: "UUID", format: "uuid" }),
  kind: Schema.String.annotate({ examples: ["store-crawl"] }),
  payload: Schema.Json.annotate({ description: "What the kind asks for", examples: [{ store_id: "s-17" }] }),
  state: TaskState,
  priority: Schema.Int.annotate({ description: "Of the tasks that are ready the highest goes first" }),
  run_at: instant("The earliest start; between attempts, that of the next one"),
  attempts: Schema.Int.annotate({ description: "How often it was started" }),
  max_attempts: Schema.Int.annotate({ description: "After so many failed attempts it is `failed`" }),
  batch_id: Schema.NullOr(Schema.String).annotate({ description: "The batch it was made with" }),
  error: Schema.NullOr(Schema.String).annotate({ description: "Why the last attempt failed" }),
  created_at: instant("When it was made"),
  started_at: Schema.NullOr(instant("Start of the latest attempt")),
  finished_at: Schema.NullOr(instant("When it came to its end"))
}).annotate({ identifier: "Task" })
export interface Task extends Schema.Schema.Type<typeof Task> {}

/** Whether nothing will happen to the task any more, unless it is retried. */
export const isFinished = (state: TaskState): boolean =>
  state === "succeeded" || state === "failed" || state === "cancelled"
