import { Result, Schema } from "effect"
import type { ClickAction } from "../clicks/ClickEvent.ts"
import type { ClickFilter } from "../clicks/ClickFilter.ts"
import { parseFilter } from "../clicks/ClickQuery.ts"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { oneOf, type QueryParameters } from "../values/QueryParameters.ts"
import { parseLimit } from "./AnalyticsQuery.ts"

/** The steps from seeing a product to opening its store, in order. */
export const steps = [
  "view",
  "compare",
  "open_product",
  "open_store"
] as const satisfies ReadonlyArray<ClickAction>
export type Step = (typeof steps)[number]

/** The counts of a step. */
export interface Count {
  readonly clicks: number
  /** Null: there are clicks, and none names its visitor. */
  readonly visitors: number | null
}

const rate = (description: string) =>
  Schema.NullOr(Schema.Finite).annotate({
    description: `${description}; null if the divisor is 0 or a count is unknown`,
    examples: [0.25]
  })

/**
 * One step. Each is counted alone: who opens a product need not have compared it before, so a rate can be above 1. The step
 * before the first is none; its rates from the previous step are null.
 */
export const FunnelStep = Schema.Struct({
  action: Schema.Literals(steps),
  clicks: Schema.Int.annotate({ description: "Clicks with this action", examples: [301] }),
  visitors: Schema.NullOr(Schema.Int).annotate({
    description: "Distinct visitors; null if clicks exist but none identifies its visitor",
    examples: [120]
  }),
  click_rate_from_view: rate("clicks / clicks of view"),
  click_rate_from_previous: rate("clicks / clicks of the previous step"),
  visitor_rate_from_view: rate("visitors / visitors of view"),
  visitor_rate_from_previous: rate("visitors / visitors of the previous step")
}).annotate({ identifier: "FunnelStep" })
export interface FunnelStep extends Schema.Schema.Type<typeof FunnelStep> {}

const key = Schema.optionalKey(Schema.NullOr(Schema.String))

/** The four steps of one campaign or one product; null stands for the clicks that name none. */
export const Funnel = Schema.Struct({
  campaign_id: key,
  product_id: key,
  steps: Schema.Array(FunnelStep).annotate({
    description: "Always four, in this order: view, compare, open_product, open_store"
  })
}).annotate({ identifier: "Funnel" })
export interface Funnel extends Schema.Schema.Type<typeof Funnel> {}

/** Funnels in order: most clicks in the four steps first, then by name (code points), null last. */
export const Funnels = Schema.Struct({
  group_by: Schema.Literals(["campaign_id", "product_id"]),
  groups: Schema.Array(Funnel),
  total: Schema.Int.annotate({ description: "Number of funnels, ignoring limit" })
}).annotate({ identifier: "Funnels" })
export interface Funnels extends Schema.Schema.Type<typeof Funnels> {}

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
export const parseQuery = (parameters: QueryParameters): Result.Result<FunnelQuery, InvalidInput> =>
  Result.gen(function* () {
    const { action, ...filter } = yield* parseFilter(parameters)
    if (action !== undefined)
      return yield* invalid("action cannot narrow a funnel: its steps are the actions")
    const groupBy = (yield* oneOf(parameters, "group_by", ["campaign_id", "product_id"])) ?? "campaign_id"
    return { filter, groupBy, limit: yield* parseLimit(parameters) }
  })

const ratio = (part: number | null, whole: number | null | undefined): number | null =>
  whole && part !== null ? part / whole : null

/** The four steps with their rates. */
export const toSteps = (count: (step: Step) => Count): ReadonlyArray<FunnelStep> =>
  steps.map((action, index) => {
    const view = count("view")
    const { clicks, visitors } = count(action)
    const before = steps[index - 1]
    const previous = before && count(before)
    return {
      action,
      clicks,
      visitors,
      click_rate_from_view: ratio(clicks, view.clicks),
      click_rate_from_previous: ratio(clicks, previous?.clicks),
      visitor_rate_from_view: ratio(visitors, view.visitors),
      visitor_rate_from_previous: ratio(visitors, previous?.visitors)
    }
  })
