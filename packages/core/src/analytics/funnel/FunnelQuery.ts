import { Result } from "effect"
import type { ClickFilter } from "../../clicks/ClickFilter.ts"
import { parseFilter } from "../../clicks/ClickQuery.ts"
import { parseZone } from "../../clicks/TimeRange.ts"
import { type InvalidInput, invalid } from "../../values/InvalidInput.ts"
import { type QueryParameters, read } from "../../values/QueryParameters.ts"
import { type FunnelField, funnelParameters } from "../analyticsParameters.ts"
import { type EarlierPeriod, parseComparison } from "../Comparison.ts"

/** The clicks whose steps to count, and the field by whose values to group them. The filter has no action. */
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
    const { compare, group_by, ...given } = yield* read(parameters, funnelParameters)
    const earlier = yield* parseComparison(compare, filter, yield* parseZone(parameters))
    return { filter, groupBy: group_by, ...(earlier && { earlier }), ...given }
  })
