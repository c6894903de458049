import { HttpApi, OpenApi } from "effect/http-api"
import { KeysApi } from "./access/admin/KeysApi.ts"
import { TrustedOriginsApi } from "./access/admin/TrustedOriginsApi.ts"
import { SessionApi } from "./access/SessionApi.ts"
import { AnalyticsApi } from "./analytics/AnalyticsApi.ts"
import { SharingApi } from "./analytics/sharing/SharingApi.ts"
import { ListingApi } from "./clicks/ListingApi.ts"
import { LinksApi } from "./clicks/links/LinksApi.ts"
import { RecordingApi } from "./clicks/recording/RecordingApi.ts"
import { StreamApi } from "./clicks/StreamApi.ts"
import { QuarantineApi } from "./clicks/status/QuarantineApi.ts"
import { StatusApi } from "./clicks/status/StatusApi.ts"
import { HealthApi } from "./health/HealthApi.ts"
import { EndpointRules } from "./openapi/declaration.ts"
import { tidy } from "./openapi/openApiDetails.ts"
import { StorePayloadsApi } from "./stores/StorePayloadsApi.ts"
import { SchedulesApi } from "./tasks/SchedulesApi.ts"
import { TasksApi } from "./tasks/TasksApi.ts"

/** The endpoints that effect serves from their declarations: all but those of recording and links. */
export class DeclaredApi extends HttpApi.make("clicks")
  .add(
    ListingApi,
    StreamApi,
    StatusApi,
    AnalyticsApi,
    SharingApi,
    TrustedOriginsApi,
    SessionApi,
    KeysApi,
    QuarantineApi,
    HealthApi,
    StorePayloadsApi,
    TasksApi,
    SchedulesApi
  )
  .middleware(EndpointRules) {}

/**
 * The whole HTTP API: the source of `openapi.json`, of the page at `/docs` and of the typed client. Safe to import in a
 * browser.
 */
export class Api extends HttpApi.make("clicks")
  .add(RecordingApi, LinksApi)
  .addHttpApi(DeclaredApi)
  .annotateMerge(
    OpenApi.annotations({
      title: "Clicks",
      version: "0.1.0",
      description: [
        "Records product click events and returns them as listings, exports and statistics.",
        "Times are ISO 8601 in UTC with milliseconds.",
        "Every endpoint can also return these statuses with `{error}`: 400 for malformed HTTP, 404 for an unknown path, 405 with `Allow` for a wrong method, 408 for a request that arrives too slowly, 431 for headers over 16 KiB."
      ].join(" "),
      servers: [{ url: "/", description: "This service" }],
      transform: tidy
    })
  ) {}
