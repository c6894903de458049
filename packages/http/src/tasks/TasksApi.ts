import { StoreDiscovery } from "@clicks/core/tasks/enqueueDiscovery"
import { StaggeredTasks } from "@clicks/core/tasks/enqueueStaggered"
import { Task } from "@clicks/core/tasks/Task"
import { QueuedBatch, TaskBatch } from "@clicks/core/tasks/TaskBatch"
import { TaskPage } from "@clicks/core/tasks/TaskQueue"
import { taskParameters } from "@clicks/core/tasks/taskParameters"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Admins } from "../access/AccessApi.ts"
import { described, query } from "../openapi/declaration.ts"
import { bodyErrors, Conflict, NotFound } from "../responses/errors.ts"

const params = { id: Schema.String.annotate({ description: "UUID of the task" }) }

const made = {
  success: QueuedBatch.pipe(HttpApiSchema.status(202)),
  error: bodyErrors
} as const

const discover = HttpApiEndpoint.post("discover", "/api/tasks/batch/store-discovery", {
  payload: StoreDiscovery,
  ...made
}).annotateMerge(
  described({
    summary: "Queue store discovery",
    description: "Queues one store-discovery task per state: all or none. At most 1 MiB."
  })
)

const stagger = HttpApiEndpoint.post("stagger", "/api/tasks/batch/staggered", {
  payload: StaggeredTasks,
  ...made
}).annotateMerge(
  described({
    summary: "Queue staggered tasks",
    description:
      "Task n, counted from 0, is ready n × delay_seconds after start_at. All tasks are queued or none: an unknown kind or an invalid payload rejects the batch. At most 1 MiB."
  })
)

const batch = HttpApiEndpoint.get("batch", "/api/tasks/batch/:batch_id", {
  params: { batch_id: Schema.String.annotate({ description: "UUID of the batch" }) },
  success: TaskBatch,
  error: NotFound
}).annotateMerge(
  described({
    summary: "Get batch progress",
    description: "Returns the tasks of a batch, their count by state, and the finished share."
  })
)

const list = HttpApiEndpoint.get("list", "/api/tasks", {
  query: query(taskParameters),
  success: TaskPage
}).annotateMerge(
  described({
    summary: "List tasks",
    description:
      "Newest first. Finished tasks are deleted after 14 days, batches when all their tasks are that old."
  })
)

const get = HttpApiEndpoint.get("get", "/api/tasks/:id", {
  params,
  success: Task,
  error: NotFound
}).annotateMerge(
  described({
    summary: "Get a task",
    description: "Returns state, attempts and, after a failure, the last error."
  })
)

const retry = HttpApiEndpoint.post("retry", "/api/tasks/:id/retry", {
  params,
  success: Task,
  error: [NotFound, Conflict]
}).annotateMerge(
  described({
    summary: "Retry a failed task",
    description: "The task becomes ready immediately. Returns 409 if it has not failed."
  })
)

const cancel = HttpApiEndpoint.post("cancel", "/api/tasks/:id/cancel", {
  params,
  success: Task,
  error: [NotFound, Conflict]
}).annotateMerge(
  described({
    summary: "Cancel a task",
    description: "A running task is interrupted. Returns 409 if the task has succeeded or failed. Idempotent."
  })
)

/** Tasks and batches. */
export class TasksApi extends HttpApiGroup.make("tasks")
  .add(discover, stagger, batch, list, get, retry, cancel)
  .middleware(Admins)
  .annotateMerge(OpenApi.annotations({ title: "Tasks", description: "Background tasks" })) {}
