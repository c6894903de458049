import { enqueueDiscovery, StoreDiscovery } from "@clicks/core/tasks/enqueueDiscovery"
import { enqueueStaggered, StaggeredTasks } from "@clicks/core/tasks/enqueueStaggered"
import type { InvalidTasks } from "@clicks/core/tasks/InvalidTasks"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { BadRequest } from "../responses/errors.ts"
import { inside } from "../responses/inside.ts"
import { taskBody } from "./taskBody.ts"

const badRequest = ({ message }: InvalidTasks) => Effect.fail(new BadRequest({ error: message }))

/** POST /api/tasks/batch/store-discovery */
export const queueDiscovery = Effect.fn("queueDiscovery")(function* (
  request: HttpServerRequest.HttpServerRequest
) {
  const input = yield* taskBody(request, StoreDiscovery)
  return yield* enqueueDiscovery(input).pipe(
    Effect.catchTag("InvalidTasks", badRequest),
    Effect.catchTag("TaskQueueError", inside("Failed to queue the tasks"))
  )
})

/** POST /api/tasks/batch/staggered */
export const queueStaggered = Effect.fn("queueStaggered")(function* (
  request: HttpServerRequest.HttpServerRequest
) {
  const input = yield* taskBody(request, StaggeredTasks)
  return yield* enqueueStaggered(input).pipe(
    Effect.catchTag("InvalidTasks", badRequest),
    Effect.catchTag("TaskQueueError", inside("Failed to queue the tasks"))
  )
})
