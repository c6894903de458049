import type { Task } from "@clicks/core/tasks/Task"
import * as TaskQuery from "@clicks/core/tasks/TaskQuery"
import { TaskQueue, type TaskQueueError, type TaskStateConflict } from "@clicks/core/tasks/TaskQueue"
import { Effect, Option } from "effect"
import { BadRequest, Conflict, NotFound } from "../responses/errors.ts"
import { inside } from "../responses/inside.ts"

const orNotFound =
  (what: "batch" | "task", id: string) =>
  <A>(found: Option.Option<A>): Effect.Effect<A, NotFound> =>
    Option.match(found, {
      onNone: () => Effect.fail(new NotFound({ error: `There is no ${what} ${id}` })),
      onSome: Effect.succeed
    })

/** GET /api/tasks */
export const listTasks = Effect.fn("listTasks")(function* (parameters: TaskQuery.TaskQueryParameters) {
  const query = yield* Effect.fromResult(TaskQuery.parse(parameters)).pipe(
    Effect.mapError(({ message }) => new BadRequest({ error: message }))
  )
  return yield* TaskQueue.use((queue) => queue.list(query)).pipe(
    Effect.catchTag("TaskQueueError", inside("Failed to fetch the tasks"))
  )
})

/** GET /api/tasks/{id} */
export const getTask = Effect.fn("getTask")(function* (id: string) {
  const found = yield* TaskQueue.use((queue) => queue.get(id)).pipe(
    Effect.catchTag("TaskQueueError", inside("Failed to fetch the task"))
  )
  return yield* orNotFound("task", id)(found)
})

/** GET /api/tasks/batch/{batch_id} */
export const getBatch = Effect.fn("getBatch")(function* (id: string) {
  const found = yield* TaskQueue.use((queue) => queue.batch(id)).pipe(
    Effect.catchTag("TaskQueueError", inside("Failed to fetch the batch"))
  )
  return yield* orNotFound("batch", id)(found)
})

const changed = (
  id: string,
  change: Effect.Effect<Option.Option<Task>, TaskQueueError | TaskStateConflict, TaskQueue>,
  failure: string
) =>
  change.pipe(
    Effect.catchTag("TaskStateConflict", ({ message }) => Effect.fail(new Conflict({ error: message }))),
    Effect.catchTag("TaskQueueError", inside(failure)),
    Effect.flatMap(orNotFound("task", id))
  )

/** POST /api/tasks/{id}/retry */
export const retryTask = Effect.fn("retryTask")((id: string) =>
  changed(
    id,
    TaskQueue.use((queue) => queue.retry(id)),
    "Failed to retry the task"
  )
)

/** POST /api/tasks/{id}/cancel */
export const cancelTask = Effect.fn("cancelTask")((id: string) =>
  changed(
    id,
    TaskQueue.use((queue) => queue.cancel(id)),
    "Failed to cancel the task"
  )
)
