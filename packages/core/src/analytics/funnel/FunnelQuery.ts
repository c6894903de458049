import { Result } from "effect"
import { type ClickFilter, type EqualityField, equalityFields } from "../../clicks/ClickFilter.ts"
import { parseFilter } from "../../clicks/ClickQuery.ts"
import { type InvalidInput, invalid } from "../../values/InvalidInput.ts"
import { oneOf, type QueryParameters } from "../../values/QueryParameters.ts"
import { type EarlierPeriod, parseComparison } from "../Comparison.ts"
import { parseLimit } from "../groups/AnalyticsQuery.ts"
import { flag } from "../parameters.ts"

/** The fields that funnels can be made for. */
export type FunnelField = Exclude<EqualityField, "action">
export const funnelFields = equalityFields.filter((field): field is FunnelField => field !== "action")

/** Which clicks to count the steps of, and for the values of which field. The filter names no action. */
export interface FunnelQuery {
  readonly filter: Omit<ClickFilter, "action">
  readonly groupBy: FunnelField
  readonly earlier?: EarlierPeriod
  readonly totals: boolean
  readonly visitors: boolean
  readonly limit: number
}

/**
 * Reads a query: the listing's filters except `action`, `group_by` (`campaign_id` by default), `compare`, `totals`, `visitors` and
 * `limit`. Fails with a sentence about the first invalid parameter.
 */
export const parse = (parameters: QueryParameters): Result.Result<FunnelQuery, InvalidInput> =>
  Result.gen(function* () {
    const { action, ...filter } = yield* parseFilter(parameters)
    if (action !== undefined)
      return yield* invalid("A funnel cannot be filtered by action: its steps are the actions")
    const groupBy = (yield* oneOf(parameters, "group_by", funnelFields)) ?? "campaign_id"
    const earlier = yield* parseComparison(parameters, filter)
    return {
      filter,
      groupBy,
      ...(earlier && { earlier }),
      totals: yield* flag(parameters, "totals", false),
      visitors: yield* flag(parameters, "visitors", true),
      limit: yield* parseLimit(parameters)
    }
  })
