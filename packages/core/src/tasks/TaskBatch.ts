import { Schema } from "effect"
import { isFinished, QueuedTask, Task, type TaskState } from "./Task.ts"
import { taskStates } from "./taskParameters.ts"

const batch_id = Schema.String.annotate({ description: "UUID of the batch", format: "uuid" })

/** A batch as returned on creation. */
export const QueuedBatch = Schema.Struct({
  batch_id,
  tasks: Schema.Array(QueuedTask),
  total: Schema.Int.annotate({ description: "Tasks in the batch" })
}).annotate({ identifier: "QueuedBatch" })
export interface QueuedBatch extends Schema.Schema.Type<typeof QueuedBatch> {}

const count = (description: string) => Schema.Int.annotate({ description, examples: [0] })

const TaskCounts = Schema.Struct({
  scheduled: count("Waiting for run_at"),
  ready: count("Waiting for a worker"),
  running: count("Running on a worker"),
  succeeded: count("Succeeded"),
  failed: count("Failed permanently"),
  cancelled: count("Cancelled")
}).annotate({ identifier: "TaskCounts" })

/** Tasks that were created together, and their progress. */
export const TaskBatch = Schema.Struct({
  batch_id,
  total: Schema.Int.annotate({ description: "Tasks in the batch" }),
  counts: TaskCounts,
  progress: Schema.Finite.annotate({
    description: "Share of finished tasks, failed ones included: 0 to 1",
    examples: [0.25]
  }),
  tasks: Schema.Array(Task).annotate({ description: "In request order" })
}).annotate({ identifier: "TaskBatch" })
export interface TaskBatch extends Schema.Schema.Type<typeof TaskBatch> {}

/** The batch that consists of these tasks: at least one, in request order. */
export const fromTasks = (batch_id: string, tasks: ReadonlyArray<Task>): TaskBatch => {
  const counted = (state: TaskState) => tasks.filter((task) => task.state === state).length
  return {
    batch_id,
    total: tasks.length,
    counts: Object.fromEntries(taskStates.map((state) => [state, counted(state)])) as TaskBatch["counts"],
    progress: tasks.filter((task) => isFinished(task.state)).length / tasks.length,
    tasks
  }
}
