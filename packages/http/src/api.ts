import { HttpApi, OpenApi } from "effect/http-api"
import { TrustedOriginsApi } from "./access/TrustedOriginsApi.ts"
import { AnalyticsApi } from "./analytics/AnalyticsApi.ts"
import { ListingApi } from "./clicks/ListingApi.ts"
import { RecordingApi } from "./clicks/RecordingApi.ts"
import { HealthApi } from "./HealthApi.ts"
import { tidy } from "./openApiDetails.ts"
import { ParameterNotices } from "./ParameterNotices.ts"
import { RequestErrors } from "./RequestErrors.ts"
import { StorePayloadsApi } from "./stores/StorePayloadsApi.ts"
import { SchedulesApi } from "./tasks/SchedulesApi.ts"
import { TasksApi } from "./tasks/TasksApi.ts"

/** The endpoints whose requests are read and answered by their declaration. Recording is not: it takes what it gets. */
export class DeclaredApi extends HttpApi.make("clicks")
  .add(ListingApi, AnalyticsApi, TrustedOriginsApi, HealthApi, StorePayloadsApi, TasksApi, SchedulesApi)
  .middleware(RequestErrors)
  .middleware(ParameterNotices) {}

/**
 * The whole HTTP API: the source of `openapi.json`, of the page at `/docs` and of the typed client. Safe to import in a
 * browser.
 */
export class Api extends HttpApi.make("clicks")
  .add(RecordingApi)
  .addHttpApi(DeclaredApi)
  .annotateMerge(
    OpenApi.annotations({
      title: "Clicks",
      version: "0.1.0",
      description: [
        "Records product click events of a shop front and gives them back.",
        "Times are ISO 8601 in UTC with milliseconds.",
        "Beyond the answers listed with each endpoint: an unknown path answers 404, a wrong method 405 with `Allow`, a request that is no HTTP 400, one that arrives too slowly 408, headers beyond 16 KiB 431; each with `{error}`."
      ].join(" "),
      license: { name: "MIT" },
      servers: [{ url: "/", description: "The service that answers with this document" }],
      transform: tidy
    })
  ) {}
