import { defaultLimit, maxLimit } from "@clicks/core/clicks/ClickQuery"
import { StoreDiscovery } from "@clicks/core/tasks/enqueueDiscovery"
import { StaggeredTasks } from "@clicks/core/tasks/enqueueStaggered"
import { Task, taskStates } from "@clicks/core/tasks/Task"
import { QueuedBatch, TaskBatch } from "@clicks/core/tasks/TaskBatch"
import { TaskPage } from "@clicks/core/tasks/TaskQuery"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Admins } from "../access/AccessApi.ts"
import { documented, limit, offset } from "../openapi/documentedParameters.ts"
import {
  BadRequest,
  Conflict,
  FailureMessage,
  InternalFailure,
  NotFound,
  PayloadTooLarge,
  UnsupportedMediaType
} from "../responses/errors.ts"

const text = (description: string, example: string) =>
  Schema.optionalKey(Schema.String.annotate({ description, examples: [example] }))

const params = { id: Schema.String.annotate({ description: "UUID of the task" }) }

const made = {
  success: QueuedBatch.pipe(HttpApiSchema.status(202)),
  error: [BadRequest, PayloadTooLarge, UnsupportedMediaType, InternalFailure]
} as const

const discover = HttpApiEndpoint.post("discover", "/api/tasks/batch/store-discovery", {
  payload: StoreDiscovery,
  ...made
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to queue the tasks")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Queue store discovery",
      description: "Queues one store-discovery task per state: all or none. At most 1 MiB."
    })
  )

const stagger = HttpApiEndpoint.post("stagger", "/api/tasks/batch/staggered", {
  payload: StaggeredTasks,
  ...made
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to queue the tasks")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Queue staggered tasks",
      description:
        "Task n, counted from 0, is ready n × delay_seconds after start_at. All tasks are queued or none: an unknown kind or an invalid payload rejects the batch. At most 1 MiB."
    })
  )

const batch = HttpApiEndpoint.get("batch", "/api/tasks/batch/:batch_id", {
  params: { batch_id: Schema.String.annotate({ description: "UUID of the batch" }) },
  success: TaskBatch,
  error: [NotFound, InternalFailure]
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to fetch the batch")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Get batch progress",
      description: "Returns the tasks of a batch, their count by state, and the finished share."
    })
  )

const list = HttpApiEndpoint.get("list", "/api/tasks", {
  query: {
    state: text("Exact match", "failed"),
    kind: text("Exact match; an unknown kind matches nothing", "store-crawl"),
    limit: text("Maximum tasks per page", "100"),
    offset: text("Tasks to skip", "0")
  },
  success: TaskPage,
  error: [BadRequest, InternalFailure]
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to fetch the tasks")
  .annotateMerge(
    OpenApi.annotations({
      summary: "List tasks",
      transform: documented({
        state: { type: "string", enum: taskStates },
        limit: limit(maxLimit, defaultLimit),
        offset
      }),
      description:
        "Newest first. Finished tasks are deleted after 14 days, batches when all their tasks are that old."
    })
  )

const get = HttpApiEndpoint.get("get", "/api/tasks/:id", {
  params,
  success: Task,
  error: [NotFound, InternalFailure]
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to fetch the task")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Get a task",
      description: "Returns state, attempts and, after a failure, the last error."
    })
  )

const retry = HttpApiEndpoint.post("retry", "/api/tasks/:id/retry", {
  params,
  success: Task,
  error: [NotFound, Conflict, InternalFailure]
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to retry the task")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Retry a failed task",
      description: "The task becomes ready immediately. Returns 409 if it has not failed."
    })
  )

const cancel = HttpApiEndpoint.post("cancel", "/api/tasks/:id/cancel", {
  params,
  success: Task,
  error: [NotFound, Conflict, InternalFailure]
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to cancel the task")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Cancel a task",
      description:
        "A running task is interrupted. Returns 409 if the task has succeeded or failed. Idempotent."
    })
  )

/** Work for the workers. */
export class TasksApi extends HttpApiGroup.make("tasks")
  .add(discover, stagger, batch, list, get, retry, cancel)
  .annotateMerge(OpenApi.annotations({ title: "Tasks", description: "Background tasks" })) {}
