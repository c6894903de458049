import * as AnalyticsQuery from "@clicks/core/analytics/AnalyticsQuery"
import { ClickAnalytics, type ClickAnalyticsError } from "@clicks/core/analytics/ClickAnalytics"
import * as FunnelQuery from "@clicks/core/analytics/FunnelQuery"
import type { ClickQueryParameters } from "@clicks/core/values/QueryParameters"
import { Effect } from "effect"
import { noticeEmptyFilter } from "../clicks/filterNotices.ts"
import { BadRequest, type InternalFailure } from "../responses/errors.ts"
import { orInternalFailure } from "../responses/orInternalFailure.ts"

const badRequest = ({ message }: { readonly message: string }) => new BadRequest({ error: message })

const toAnswer = (error: ClickAnalyticsError): Effect.Effect<never, BadRequest | InternalFailure> =>
  error.reason === "UnknownTimeZone"
    ? Effect.fail(badRequest(error))
    : orInternalFailure("Failed to count product click events")(Effect.fail(error))

/** GET /api/analytics/product-clicks */
export const countGroups = Effect.fn("countGroups")(function* (
  parameters: ClickQueryParameters,
  groupBy: ReadonlyArray<string>
) {
  const query = yield* Effect.mapError(
    Effect.fromResult(AnalyticsQuery.parse(parameters, groupBy)),
    badRequest
  )
  yield* noticeEmptyFilter(query.filter)
  const { groups } = yield* ClickAnalytics
  return yield* Effect.catch(groups(query), toAnswer)
})

/** GET /api/analytics/funnel */
export const countFunnels = Effect.fn("countFunnels")(function* (parameters: ClickQueryParameters) {
  const query = yield* Effect.mapError(Effect.fromResult(FunnelQuery.parse(parameters)), badRequest)
  yield* noticeEmptyFilter(query.filter)
  const { funnel } = yield* ClickAnalytics
  return yield* Effect.catch(funnel(query), toAnswer)
})
