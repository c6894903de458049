import { CrawlSchedule, CrawlScheduleSettings } from "@clicks/core/tasks/CrawlSchedule"
import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { Effect, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { BadRequest, NotFound } from "../responses/errors.ts"
import { inside } from "../responses/inside.ts"
import { taskBody } from "./taskBody.ts"

/** GET /api/tasks/schedules/high-frequency */
export const listSchedules = CrawlSchedules.use(({ list }) => list).pipe(
  Effect.map((schedules) => ({ schedules, total: schedules.length })),
  Effect.catchTag("CrawlSchedulesError", inside("Failed to fetch the schedules")),
  Effect.withSpan("listSchedules")
)

const encode = Schema.encodeSync(CrawlSchedule)

/** PUT /api/tasks/schedules/high-frequency/{id} */
export const putSchedule = Effect.fn("putSchedule")(function* (
  store_id: string,
  request: HttpServerRequest.HttpServerRequest
) {
  const settings = yield* taskBody(request, CrawlScheduleSettings)
  const { created, schedule } = yield* CrawlSchedules.use((schedules) =>
    schedules.put(store_id, settings)
  ).pipe(
    Effect.catchTag("InvalidTasks", ({ message }) => Effect.fail(new BadRequest({ error: message }))),
    Effect.catchTag("CrawlSchedulesError", inside("Failed to set the schedule"))
  )
  return HttpServerResponse.jsonUnsafe(encode(schedule), { status: created ? 201 : 200 })
})

/** DELETE /api/tasks/schedules/high-frequency/{id} */
export const removeSchedule = Effect.fn("removeSchedule")(function* (store_id: string) {
  const removed = yield* CrawlSchedules.use((schedules) => schedules.remove(store_id)).pipe(
    Effect.catchTag("CrawlSchedulesError", inside("Failed to delete the schedule"))
  )
  if (!removed) return yield* new NotFound({ error: `There is no schedule for the store ${store_id}` })
})
