import { HttpApiBuilder } from "effect/http-api"
import { DeclaredApi } from "../api.ts"
import { cancelTask, getBatch, getTask, listTasks, retryTask } from "./askTasks.ts"
import { queueDiscovery, queueStaggered } from "./queueBatch.ts"

/** Handles the endpoints of `TasksApi`. */
export const layer = HttpApiBuilder.group(DeclaredApi, "tasks", (handlers) =>
  handlers
    // Not by their declaration: a body is bounded here, and what is wrong with it is said in a sentence.
    .handleRaw("discover", ({ request }) => queueDiscovery(request))
    .handleRaw("stagger", ({ request }) => queueStaggered(request))
    .handle("batch", ({ params }) => getBatch(params.batch_id))
    .handle("list", ({ query }) => listTasks(query))
    .handle("get", ({ params }) => getTask(params.id))
    .handle("retry", ({ params }) => retryTask(params.id))
    .handle("cancel", ({ params }) => cancelTask(params.id))
)
