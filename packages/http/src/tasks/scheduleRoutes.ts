import { CrawlSchedule, CrawlScheduleSettings } from "@clicks/core/tasks/CrawlSchedule"
import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../openapi/declaration.ts"
import { decodedBody } from "../requests/jsonBody.ts"
import { NotFound } from "../responses/errors.ts"
import { answered } from "../responses/expectedErrors.ts"
import { SchedulesApi } from "./SchedulesApi.ts"

const encode = Schema.encodeSync(CrawlSchedule)

/** Handles the endpoints of `SchedulesApi`. */
export const layer = HttpApiBuilder.group(apiOf(SchedulesApi), "schedules", (handlers) =>
  handlers
    .handle("list", () =>
      Effect.map(answered(CrawlSchedules.use(({ list }) => list)), (schedules) => ({
        schedules,
        total: schedules.length
      }))
    )
    .handleRaw("put", ({ params: { id }, request }) =>
      decodedBody(request, CrawlScheduleSettings).pipe(
        Effect.flatMap((settings) =>
          answered(CrawlSchedules.use((schedules) => schedules.put(id, settings)))
        ),
        Effect.map(({ created, schedule }) =>
          HttpServerResponse.jsonUnsafe(encode(schedule), { status: created ? 201 : 200 })
        )
      )
    )
    .handle("remove", ({ params: { id } }) =>
      Effect.flatMap(answered(CrawlSchedules.use((schedules) => schedules.remove(id))), (isRemoved) =>
        isRemoved ? Effect.void : new NotFound({ error: `There is no schedule for the store ${id}` })
      )
    )
)
