import { StoreId } from "@clicks/core/stores/Store"
import { CrawlSchedule, CrawlScheduleList, CrawlScheduleSettings } from "@clicks/core/tasks/CrawlSchedule"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Admins } from "../access/AccessApi.ts"
import { described } from "../openapi/declaration.ts"
import { bodyErrors, NotFound } from "../responses/errors.ts"

const path = "/api/tasks/schedules/high-frequency"
const params = { id: StoreId }

const list = HttpApiEndpoint.get("list", path, { success: CrawlScheduleList }).annotateMerge(
  described({
    summary: "List crawl schedules",
    description: "Sorted by store id."
  })
)

const put = HttpApiEndpoint.put("put", `${path}/:id`, {
  params,
  payload: CrawlScheduleSettings,
  success: [CrawlSchedule, CrawlSchedule.pipe(HttpApiSchema.status(201))],
  error: bodyErrors
}).annotateMerge(
  described({
    summary: "Create or update a crawl schedule",
    description:
      "Returns 201 if the schedule is new, otherwise 200. Omitted fields keep their values; a new schedule requires interval_minutes. A new schedule queues its first crawl immediately; a changed schedule queues the next one an interval after the last. No crawl is queued while the store has an unfinished one. If crawls were missed, one is queued. The store may be unknown; its crawls fail until it is discovered."
  })
)

const remove = HttpApiEndpoint.delete("remove", `${path}/:id`, {
  params,
  success: HttpApiSchema.NoContent,
  error: NotFound
}).annotateMerge(
  described({
    summary: "Delete a crawl schedule",
    description: "Crawls that are already queued still run."
  })
)

/** Recurring crawls of stores. */
export class SchedulesApi extends HttpApiGroup.make("schedules")
  .add(list, put, remove)
  .middleware(Admins)
  .annotateMerge(OpenApi.annotations({ title: "Schedules", description: "Recurring crawls of stores" })) {}
