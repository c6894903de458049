import { Result } from "effect"
import type { ClickFilter } from "../clicks/ClickFilter.ts"
import { parseFilter } from "../clicks/ClickQuery.ts"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { oneOf, type QueryParameters } from "../values/QueryParameters.ts"
import { parseLimit } from "./AnalyticsQuery.ts"
import type { Funnels } from "./Funnel.ts"

/** Which clicks to count the steps of, and whether per campaign or per product. The filter names no action. */
export interface FunnelQuery {
  readonly filter: Omit<ClickFilter, "action">
  readonly groupBy: Funnels["group_by"]
  readonly limit: number
}

/**
 * Reads a query: the listing's filters but `action`, `group_by` (`campaign_id`, the default, or `product_id`) and `limit`.
 * Fails with a sentence about the first parameter that cannot be understood.
 */
export const parse = (parameters: QueryParameters): Result.Result<FunnelQuery, InvalidInput> =>
  Result.gen(function* () {
    const { action, ...filter } = yield* parseFilter(parameters)
    if (action !== undefined)
      return yield* invalid("action cannot narrow a funnel: its steps are the actions")
    const groupBy = (yield* oneOf(parameters, "group_by", ["campaign_id", "product_id"])) ?? "campaign_id"
    return { filter, groupBy, limit: yield* parseLimit(parameters) }
  })
