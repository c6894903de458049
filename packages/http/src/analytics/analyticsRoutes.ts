import * as AnalyticsQuery from "@clicks/core/analytics/AnalyticsQuery"
import { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import type { ClickAnalyticsError } from "@clicks/core/analytics/ClickAnalyticsError"
import * as Cohorts from "@clicks/core/analytics/Cohorts"
import * as FunnelQuery from "@clicks/core/analytics/FunnelQuery"
import * as ProductPairs from "@clicks/core/analytics/ProductPairs"
import * as VisitorBuckets from "@clicks/core/analytics/VisitorBuckets"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import type { InvalidInput } from "@clicks/core/values/InvalidInput"
import { Effect, type Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { noticeEmptyFilter } from "../clicks/filterNotices.ts"
import { apiOf } from "../openapi/declaration.ts"
import { noHistory, tryLater } from "../responses/apiResponse.ts"
import { badRequest, orBadRequest } from "../responses/expectedErrors.ts"
import { AnalyticsApi } from "./AnalyticsApi.ts"

const toAnswer = (error: ClickAnalyticsError) => {
  if (error.reason === "HistoryUnavailable") return Effect.succeed(noHistory)
  if (error.reason === "TooManyHot")
    return Effect.succeed(tryLater(`${error.message}. Try again in 10 seconds`))
  return error.reason === "Unavailable" ? Effect.die(error) : badRequest(error)
}

/** Responds with the result of `count`, or with 400 if the query could not be parsed. */
const answer = <Query extends { readonly filter: ClickFilter }, A>(
  parsed: Result.Result<Query, InvalidInput>,
  count: (query: Query) => Effect.Effect<A, ClickAnalyticsError, ClickAnalytics>
) =>
  orBadRequest(parsed).pipe(
    Effect.tap(({ filter }) => noticeEmptyFilter(filter)),
    Effect.flatMap(count),
    Effect.catchTag("ClickAnalyticsError", toAnswer)
  )

/** Handles the endpoints of `AnalyticsApi`. */
export const layer = HttpApiBuilder.group(apiOf(AnalyticsApi), "analytics", (handlers) =>
  handlers
    .handle("groups", ({ query }) =>
      answer(AnalyticsQuery.parse(query), (asked) => ClickAnalytics.use(({ groups }) => groups(asked)))
    )
    .handle("funnel", ({ query }) =>
      answer(FunnelQuery.parse(query), (asked) => ClickAnalytics.use(({ funnel }) => funnel(asked)))
    )
    .handle("visitors", ({ query }) =>
      answer(VisitorBuckets.parse(query), (asked) => ClickAnalytics.use(({ visitors }) => visitors(asked)))
    )
    .handle("cohorts", ({ query }) =>
      answer(Cohorts.parse(query), (asked) => ClickAnalytics.use(({ cohorts }) => cohorts(asked)))
    )
    .handle("pairs", ({ query }) =>
      answer(ProductPairs.parse(query), (asked) => ClickAnalytics.use(({ pairs }) => pairs(asked)))
    )
)
