import { StoreId } from "@clicks/core/stores/Store"
import { CrawlSchedule, CrawlScheduleList, CrawlScheduleSettings } from "@clicks/core/tasks/CrawlSchedule"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Admins } from "../access/AccessApi.ts"
import {
  BadRequest,
  FailureMessage,
  InternalFailure,
  NotFound,
  PayloadTooLarge,
  UnsupportedMediaType
} from "../errors.ts"

const path = "/api/tasks/schedules/high-frequency"
const params = { id: StoreId }

const list = HttpApiEndpoint.get("list", path, { success: CrawlScheduleList, error: InternalFailure })
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to fetch the schedules")
  .annotateMerge(OpenApi.annotations({ summary: "List the crawl schedules", description: "By store id." }))

const put = HttpApiEndpoint.put("put", `${path}/:id`, {
  params,
  payload: CrawlScheduleSettings,
  success: [CrawlSchedule, CrawlSchedule.pipe(HttpApiSchema.status(201))],
  error: [BadRequest, PayloadTooLarge, UnsupportedMediaType, InternalFailure]
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to set the schedule")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Set a store's crawl schedule",
      description:
        "200, or 201 when the store had none. Absent fields keep their values; a new schedule requires interval_minutes. A new schedule queues its first crawl at once, a changed one an interval after its last. It queues none while the store has an unfinished crawl; what was missed is made up for once. The store need not be known yet; until discovery has found it, its crawls fail."
    })
  )

const remove = HttpApiEndpoint.delete("remove", `${path}/:id`, {
  params,
  success: HttpApiSchema.NoContent,
  error: [BadRequest, NotFound, InternalFailure]
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to delete the schedule")
  .annotateMerge(
    OpenApi.annotations({
      summary: "End a store's crawl schedule",
      description: "Crawls that are queued already stay."
    })
  )

/** Stores that are crawled again and again. */
export class SchedulesApi extends HttpApiGroup.make("schedules")
  .add(list, put, remove)
  .annotateMerge(
    OpenApi.annotations({ title: "Schedules", description: "Stores that are crawled again and again" })
  ) {}
