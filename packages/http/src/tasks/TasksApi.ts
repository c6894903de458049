import { defaultLimit, maxLimit } from "@clicks/core/clicks/ClickQuery"
import { StoreDiscovery } from "@clicks/core/tasks/enqueueDiscovery"
import { StaggeredTasks } from "@clicks/core/tasks/enqueueStaggered"
import { Task, taskStates } from "@clicks/core/tasks/Task"
import { QueuedBatch, TaskBatch } from "@clicks/core/tasks/TaskBatch"
import { TaskPage } from "@clicks/core/tasks/TaskQuery"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Admins } from "../access/AccessApi.ts"
import { documented, limit, offset } from "../documentedParameters.ts"
import {
  BadRequest,
  Conflict,
  FailureMessage,
  InternalFailure,
  NotFound,
  PayloadTooLarge,
  UnsupportedMediaType
} from "../errors.ts"

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
      summary: "Queue the discovery of the stores of states",
      description: "A task of the kind store-discovery for each state, all or none. At most 1 MiB."
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
      summary: "Queue tasks one after the other",
      description:
        "Task n, counted from 0, starts n × delay_seconds after start_at, or when a worker is free then. All are queued or none: the first that is of no known kind, or whose payload does not fit its kind, refuses the batch. At most 1 MiB."
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
      summary: "How far a batch is",
      description: "Its tasks, how many of them are in each state, and the share that has finished."
    })
  )

const list = HttpApiEndpoint.get("list", "/api/tasks", {
  query: {
    state: text("Equals", "failed"),
    kind: text("Equals; an unknown kind matches nothing", "store-crawl"),
    limit: text("Tasks on a page", "100"),
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
        "The newest first. Finished tasks are kept for 14 days, a batch until all of it is that old."
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
      summary: "One task",
      description: "Its state, its attempts and, after a failure, the last error."
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
      summary: "Give a failed task another attempt",
      description: "It is ready at once. A task that is not failed: 409."
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
      summary: "Call a task off",
      description:
        "One that runs is interrupted. A task that has succeeded or failed: 409. Cancelling again changes nothing."
    })
  )

/** Work for the workers. */
export class TasksApi extends HttpApiGroup.make("tasks")
  .add(discover, stagger, batch, list, get, retry, cancel)
  .annotateMerge(OpenApi.annotations({ title: "Tasks", description: "Work for the workers" })) {}
