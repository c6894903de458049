import { Context, type Effect, type Option, Schema } from "effect"
import type { NewTask, Task } from "./Task.ts"
import { TaskState } from "./Task.ts"
import type { TaskBatch } from "./TaskBatch.ts"
import type { TaskPage, TaskQuery } from "./TaskQuery.ts"

/** The queue cannot be reached. Whether the change was made is not known; trying again is safe. */
export class TaskQueueError extends Schema.TaggedError<TaskQueueError>()("TaskQueueError", {
  operation: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The task queue cannot be reached (${this.operation})`
  }
}

/** The task's state does not allow what was asked. Nothing was changed. */
export class TaskStateConflict extends Schema.TaggedError<TaskStateConflict>()("TaskStateConflict", {
  message: Schema.String,
  state: TaskState
}) {}

/** The tasks, as those see them who make and watch them. */
export class TaskQueue extends Context.Service<
  TaskQueue,
  {
    /**
     * Makes the tasks, all or none, and returns them in their order. An id that is there already is not an error and stays as
     * it is. When it returns they are durable, and an idle worker starts what is ready at once.
     */
    readonly enqueue: (tasks: ReadonlyArray<NewTask>) => Effect.Effect<ReadonlyArray<Task>, TaskQueueError>
    readonly get: (id: string) => Effect.Effect<Option.Option<Task>, TaskQueueError>
    /** One page, newest first (`compareTasks`), and the exact total, as of one moment. */
    readonly list: (query: TaskQuery) => Effect.Effect<TaskPage, TaskQueueError>
    /** The batch with all its tasks; none when there is no such batch. */
    readonly batch: (batch_id: string) => Effect.Effect<Option.Option<TaskBatch>, TaskQueueError>
    /**
     * Gives a failed task another attempt, at once. None when there is no such task; fails when it is not failed.
     */
    readonly retry: (id: string) => Effect.Effect<Option.Option<Task>, TaskQueueError | TaskStateConflict>
    /**
     * Calls a task off; one that is running is interrupted. None when there is no such task; fails when it succeeded or
     * failed. Cancelling again changes nothing.
     */
    readonly cancel: (id: string) => Effect.Effect<Option.Option<Task>, TaskQueueError | TaskStateConflict>
    /**
     * Forgets tasks that finished before then, a batch only as a whole, and returns how many. Some may be left for the next
     * call.
     */
    readonly purge: (finishedBefore: Date) => Effect.Effect<number, TaskQueueError>
  }
>()("@clicks/core/tasks/TaskQueue") {}

/** The error of a task that cannot be retried. */
export const notRetryable = (state: TaskState): TaskStateConflict =>
  new TaskStateConflict({ message: `Only a failed task can be retried; this one is ${state}`, state })

/** The error of a task that cannot be cancelled. */
export const notCancellable = (state: TaskState): TaskStateConflict =>
  new TaskStateConflict({ message: `Only an unfinished task can be cancelled; this one has ${state}`, state })
