import { enqueueDiscovery, StoreDiscovery } from "@clicks/core/tasks/enqueueDiscovery"
import { enqueueStaggered, StaggeredTasks } from "@clicks/core/tasks/enqueueStaggered"
import { parseQuery, TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../openapi/declaration.ts"
import { decodedBody } from "../requests/jsonBody.ts"
import { answered, orBadRequest, orNotFound } from "../responses/expectedErrors.ts"
import { TasksApi } from "./TasksApi.ts"

/** Handles the endpoints of `TasksApi`. Bodies are read raw, to limit their size and to have core write the error messages. */
export const layer = HttpApiBuilder.group(apiOf(TasksApi), "tasks", (handlers) =>
  handlers
    .handleRaw("discover", ({ request }) =>
      Effect.flatMap(decodedBody(request, StoreDiscovery), (discovery) =>
        answered(enqueueDiscovery(discovery))
      )
    )
    .handleRaw("stagger", ({ request }) =>
      Effect.flatMap(decodedBody(request, StaggeredTasks), (batch) => answered(enqueueStaggered(batch)))
    )
    .handle("batch", ({ params: { batch_id } }) =>
      answered(TaskQueue.use((queue) => queue.batch(batch_id))).pipe(orNotFound(`batch ${batch_id}`))
    )
    .handle("list", ({ query }) =>
      Effect.flatMap(orBadRequest(parseQuery(query)), (parsed) =>
        answered(TaskQueue.use((queue) => queue.list(parsed)))
      )
    )
    .handle("get", ({ params: { id } }) =>
      answered(TaskQueue.use((queue) => queue.get(id))).pipe(orNotFound(`task ${id}`))
    )
    .handle("retry", ({ params: { id } }) =>
      answered(TaskQueue.use((queue) => queue.retry(id))).pipe(orNotFound(`task ${id}`))
    )
    .handle("cancel", ({ params: { id } }) =>
      answered(TaskQueue.use((queue) => queue.cancel(id))).pipe(orNotFound(`task ${id}`))
    )
)
