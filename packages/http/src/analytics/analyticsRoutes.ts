import * as AnalyticsQuery from "@clicks/core/analytics/AnalyticsQuery"
import { ClickAnalytics, type ClickAnalyticsError } from "@clicks/core/analytics/ClickAnalytics"
import * as Funnel from "@clicks/core/analytics/Funnel"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { noticeEmptyFilter } from "../clicks/filterNotices.ts"
import { apiOf } from "../openapi/declaration.ts"
import { badRequest, orBadRequest } from "../responses/expectedErrors.ts"
import { AnalyticsApi } from "./AnalyticsApi.ts"

const toAnswer = (error: ClickAnalyticsError) =>
  error.reason === "UnknownTimeZone" ? badRequest(error) : Effect.die(error)

/** Handles the endpoints of `AnalyticsApi`. */
export const layer = HttpApiBuilder.group(apiOf(AnalyticsApi), "analytics", (handlers) =>
  handlers
    .handle("groups", ({ query: { group_by = [], ...parameters } }) =>
      orBadRequest(AnalyticsQuery.parse(parameters, [group_by].flat())).pipe(
        Effect.tap(({ filter }) => noticeEmptyFilter(filter)),
        Effect.flatMap((query) => ClickAnalytics.use(({ groups }) => groups(query))),
        Effect.catchTag("ClickAnalyticsError", toAnswer)
      )
    )
    .handle("funnel", ({ query: parameters }) =>
      orBadRequest(Funnel.parseQuery(parameters)).pipe(
        Effect.tap(({ filter }) => noticeEmptyFilter(filter)),
        Effect.flatMap((query) => ClickAnalytics.use(({ funnel }) => funnel(query))),
        Effect.catchTag("ClickAnalyticsError", toAnswer)
      )
    )
)
