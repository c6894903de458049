import { CrawlSchedule, CrawlScheduleSettings } from "@clicks/core/tasks/CrawlSchedule"
import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../openapi/declaration.ts"
import { badRequest, notFound } from "../responses/expectedErrors.ts"
import { SchedulesApi } from "./SchedulesApi.ts"
import { taskBody } from "./taskBody.ts"

const encode = Schema.encodeSync(CrawlSchedule)

/** Handles the endpoints of `SchedulesApi`. */
export const layer = HttpApiBuilder.group(apiOf(SchedulesApi), "schedules", (handlers) =>
  handlers
    .handle("list", () =>
      CrawlSchedules.use(({ list }) => list).pipe(
        Effect.map((schedules) => ({ schedules, total: schedules.length })),
        Effect.orDie
      )
    )
    .handleRaw("put", ({ params: { id }, request }) =>
      taskBody(request, CrawlScheduleSettings).pipe(
        Effect.flatMap((settings) => CrawlSchedules.use((schedules) => schedules.put(id, settings))),
        Effect.catchTags({ InvalidInput: badRequest, PortError: Effect.die }),
        Effect.map(({ created, schedule }) =>
          HttpServerResponse.jsonUnsafe(encode(schedule), { status: created ? 201 : 200 })
        )
      )
    )
    .handle("remove", ({ params: { id } }) =>
      CrawlSchedules.use((schedules) => schedules.remove(id)).pipe(
        Effect.orDie,
        Effect.flatMap((isRemoved) =>
          isRemoved ? Effect.void : notFound({ message: `There is no schedule for the store ${id}` })
        )
      )
    )
)
