import { enqueueDiscovery, StoreDiscovery } from "@clicks/core/tasks/enqueueDiscovery"
import { enqueueStaggered, StaggeredTasks } from "@clicks/core/tasks/enqueueStaggered"
import { parseQuery, TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../openapi/declaration.ts"
import { badRequest, conflict, orBadRequest, orNotFound } from "../responses/expectedErrors.ts"
import { TasksApi } from "./TasksApi.ts"
import { taskBody } from "./taskBody.ts"

const invalid = { InvalidInput: badRequest, PortError: Effect.die }
const conflicting = { TaskStateConflict: conflict, PortError: Effect.die }

/** Handles the endpoints of `TasksApi`. Bodies are read raw, to bound their size and to word the errors. */
export const layer = HttpApiBuilder.group(apiOf(TasksApi), "tasks", (handlers) =>
  handlers
    .handleRaw("discover", ({ request }) =>
      taskBody(request, StoreDiscovery).pipe(Effect.flatMap(enqueueDiscovery), Effect.catchTags(invalid))
    )
    .handleRaw("stagger", ({ request }) =>
      taskBody(request, StaggeredTasks).pipe(Effect.flatMap(enqueueStaggered), Effect.catchTags(invalid))
    )
    .handle("batch", ({ params: { batch_id } }) =>
      TaskQueue.use((queue) => queue.batch(batch_id)).pipe(Effect.orDie, orNotFound(`batch ${batch_id}`))
    )
    .handle("list", ({ query }) =>
      Effect.flatMap(orBadRequest(parseQuery(query)), (parsed) =>
        Effect.orDie(TaskQueue.use((queue) => queue.list(parsed)))
      )
    )
    .handle("get", ({ params: { id } }) =>
      TaskQueue.use((queue) => queue.get(id)).pipe(Effect.orDie, orNotFound(`task ${id}`))
    )
    .handle("retry", ({ params: { id } }) =>
      TaskQueue.use((queue) => queue.retry(id)).pipe(Effect.catchTags(conflicting), orNotFound(`task ${id}`))
    )
    .handle("cancel", ({ params: { id } }) =>
      TaskQueue.use((queue) => queue.cancel(id)).pipe(Effect.catchTags(conflicting), orNotFound(`task ${id}`))
    )
)
