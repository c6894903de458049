import { Context, type Effect, type Option, type Result, Schema } from "effect"
import type { InvalidInput } from "../values/InvalidInput.ts"
import { defaultLimit } from "../values/Parameter.ts"
import type { PortError } from "../values/PortError.ts"
import { type Page, type QueryParameters, read } from "../values/QueryParameters.ts"
import { type NewTask, Task, TaskState } from "./Task.ts"
import type { TaskBatch } from "./TaskBatch.ts"
import { taskParameters } from "./taskParameters.ts"

/** A request for one page of tasks, with this state and kind if given. */
export interface TaskQuery extends Page {
  readonly state?: TaskState
  readonly kind?: string
}

/** One page of tasks, newest first, and the total. */
export const TaskPage = Schema.Struct({
  tasks: Schema.Array(Task),
  total: Schema.Int.annotate({ description: "Tasks matching the filters, ignoring limit and offset" }),
  limit: Schema.Int.annotate({ examples: [defaultLimit] }),
  offset: Schema.Int.annotate({ examples: [0] })
}).annotate({ identifier: "TaskPage" })
export interface TaskPage extends Schema.Schema.Type<typeof TaskPage> {}

/** Parses a page request. Fails with a message about the first invalid parameter. */
export const parseQuery = (parameters: QueryParameters): Result.Result<TaskQuery, InvalidInput> =>
  read(parameters, taskParameters)

/** The task's state does not allow the operation. Nothing was changed. */
export class TaskStateConflict extends Schema.TaggedError<TaskStateConflict>()("TaskStateConflict", {
  message: Schema.String,
  state: TaskState
}) {}

/** The tasks, for code that creates and observes them. */
export class TaskQueue extends Context.Service<
  TaskQueue,
  {
    /**
     * Creates the tasks, all or none, and returns them in their order. If a task with the same id exists, it is kept unchanged. When this
     * returns, the tasks are durable, and an idle worker starts the ready ones at once.
     */
    readonly enqueue: (tasks: ReadonlyArray<NewTask>) => Effect.Effect<ReadonlyArray<Task>, PortError>
    readonly get: (id: string) => Effect.Effect<Option.Option<Task>, PortError>
    /** One page and the exact total, from one snapshot: newest first, ties by id descending. */
    readonly list: (query: TaskQuery) => Effect.Effect<TaskPage, PortError>
    /** The batch with all its tasks; none if there is no such batch. */
    readonly batch: (batch_id: string) => Effect.Effect<Option.Option<TaskBatch>, PortError>
    /** Retries a failed task immediately. Returns none if there is no such task; fails if it has not failed. */
    readonly retry: (id: string) => Effect.Effect<Option.Option<Task>, PortError | TaskStateConflict>
    /**
     * Cancels a task; a running one is interrupted. Returns none if there is no such task; fails if it has succeeded or failed. Cancelling
     * again changes nothing.
     */
    readonly cancel: (id: string) => Effect.Effect<Option.Option<Task>, PortError | TaskStateConflict>
    /**
     * Deletes tasks that finished before the instant, batches only as a whole, and returns the number of tasks. Some may be left for the
     * next call.
     */
    readonly purge: (finishedBefore: Date) => Effect.Effect<number, PortError>
  }
>()("@clicks/core/tasks/TaskQueue") {}

/** The error of a task that cannot be retried. */
export const notRetryable = (state: TaskState): TaskStateConflict =>
  new TaskStateConflict({ message: `Only a failed task can be retried; this one is ${state}`, state })

/** The error of a task that cannot be cancelled. */
export const notCancellable = (state: TaskState): TaskStateConflict =>
  new TaskStateConflict({ message: `Only an unfinished task can be cancelled; this one has ${state}`, state })
