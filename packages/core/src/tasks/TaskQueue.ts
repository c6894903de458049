import { Context, type Effect, type Option, Result, Schema } from "effect"
import type { InvalidInput } from "../values/InvalidInput.ts"
import type { PortError } from "../values/PortError.ts"
import {
  defaultLimit,
  oneOf,
  type Page,
  page,
  type QueryParameters,
  single
} from "../values/QueryParameters.ts"
import { type NewTask, Task, TaskState, taskStates } from "./Task.ts"
import type { TaskBatch } from "./TaskBatch.ts"

/** One page of the tasks with this state and kind, if given. */
export interface TaskQuery extends Page {
  readonly state?: TaskState
  readonly kind?: string
}

/** The page, newest first, and the total. */
export const TaskPage = Schema.Struct({
  tasks: Schema.Array(Task),
  total: Schema.Int.annotate({ description: "Tasks matching the filters, ignoring limit and offset" }),
  limit: Schema.Int.annotate({ examples: [defaultLimit] }),
  offset: Schema.Int.annotate({ examples: [0] })
}).annotate({ identifier: "TaskPage" })
export interface TaskPage extends Schema.Schema.Type<typeof TaskPage> {}

/** Parses a page request. Fails with a message about the first invalid parameter. */
export const parseQuery = (parameters: QueryParameters): Result.Result<TaskQuery, InvalidInput> =>
  Result.gen(function* () {
    const state = yield* oneOf(parameters, "state", taskStates)
    const kind = yield* single(parameters, "kind")
    return { ...(state && { state }), ...(kind && { kind }), ...(yield* page(parameters)) }
  })

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
     * Creates the tasks, all or none, and returns them in their order. A task whose id exists stays as it is. When this returns
     * they are durable, and an idle worker starts ready ones at once.
     */
    readonly enqueue: (tasks: ReadonlyArray<NewTask>) => Effect.Effect<ReadonlyArray<Task>, PortError>
    readonly get: (id: string) => Effect.Effect<Option.Option<Task>, PortError>
    /** One page, newest first and ties by id descending, and the exact total, as of one moment. */
    readonly list: (query: TaskQuery) => Effect.Effect<TaskPage, PortError>
    /** The batch with all its tasks; none when there is no such batch. */
    readonly batch: (batch_id: string) => Effect.Effect<Option.Option<TaskBatch>, PortError>
    /**
     * Gives a failed task another attempt, at once. None when there is no such task; fails when it is not failed.
     */
    readonly retry: (id: string) => Effect.Effect<Option.Option<Task>, PortError | TaskStateConflict>
    /**
     * Cancels a task; a running one is interrupted. None when there is no such task; fails when it succeeded or failed.
     * Cancelling again changes nothing.
     */
    readonly cancel: (id: string) => Effect.Effect<Option.Option<Task>, PortError | TaskStateConflict>
    /**
     * Deletes tasks that finished earlier, a batch only as a whole, and returns how many. Some may be left for the next call.
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
