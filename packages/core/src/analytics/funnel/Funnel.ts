import { Schema } from "effect"
import type { ClickAction } from "../../clicks/ClickEvent.ts"
import { compared, groupKeys } from "../groups/ClickGroup.ts"
import { ratio } from "../ratio.ts"

/** The steps from seeing a product to opening its store, in order. Comparing products is a branch, not a step. */
export const steps = ["view", "open_product", "open_store"] as const satisfies ReadonlyArray<ClickAction>

/** The actions of a funnel. */
export const funnelActions = [...steps, "compare"] as const
export type FunnelAction = (typeof funnelActions)[number]

/** The counts of an action. */
export interface Count {
  readonly clicks: number
  /** Null if visitors were not counted or no click identifies its visitor. */
  readonly visitors: number | null
}

const rate = (description: string) =>
  Schema.NullOr(Schema.Finite).annotate({
    description: `${description}; null if the divisor is 0 or a count is unknown`,
    examples: [0.25]
  })

const counted = {
  clicks: Schema.Int.annotate({ description: "Clicks with this action", examples: [301] }),
  visitors: Schema.NullOr(Schema.Int).annotate({
    description:
      "Distinct visitors; null if clicks exist but none identifies its visitor, or with visitors=false",
    examples: [120]
  }),
  click_rate_from_view: rate("clicks / clicks of view"),
  visitor_rate_from_view: rate("visitors / visitors of view")
}

/**
 * One step. Steps are counted independently: a product can be opened without a view, so a rate can exceed 1. The first step has no previous
 * one, so those rates are null.
 */
export const FunnelStep = Schema.Struct({
  action: Schema.Literals(steps),
  ...counted,
  click_rate_from_previous: rate("clicks / clicks of the previous step"),
  visitor_rate_from_previous: rate("visitors / visitors of the previous step")
}).annotate({ identifier: "FunnelStep" })
export interface FunnelStep extends Schema.Schema.Type<typeof FunnelStep> {}

const branch = {
  steps: Schema.Array(FunnelStep).annotate({
    description: "Always three, in this order: view, open_product, open_store"
  }),
  compare: Schema.Struct({ action: Schema.Literal("compare"), ...counted }).annotate({
    identifier: "FunnelBranch",
    description: "The action compare, which is not a step"
  })
}

const FunnelSteps = Schema.Struct(branch).annotate({ identifier: "FunnelSteps" })
export interface FunnelSteps extends Schema.Schema.Type<typeof FunnelSteps> {}

const previous = Schema.optionalKey(FunnelSteps)

/** The funnel of one value of the field; null stands for clicks without a value. */
export const Funnel = Schema.Struct({ ...groupKeys, ...branch, previous }).annotate({ identifier: "Funnel" })
export interface Funnel extends Schema.Schema.Type<typeof Funnel> {}

/** Funnels in order: most clicks first, then by name (code points), null last. */
export const Funnels = Schema.Struct({
  group_by: Schema.String.annotate({ examples: ["campaign_id"] }),
  groups: Schema.Array(Funnel),
  total: Schema.Int.annotate({ description: "Number of funnels, ignoring limit" }),
  totals: Schema.optionalKey(Schema.Struct({ ...branch, previous }).annotate({ identifier: "FunnelTotals" })),
  compared
}).annotate({ identifier: "Funnels" })
export interface Funnels extends Schema.Schema.Type<typeof Funnels> {}

const fromView = ({ clicks, visitors }: Count, view: Count) => ({
  clicks,
  visitors,
  click_rate_from_view: ratio(clicks, view.clicks),
  visitor_rate_from_view: ratio(visitors, view.visitors)
})

/** The steps and the branch, with their rates. */
export const toSteps = (count: (action: FunnelAction) => Count): FunnelSteps => {
  const view = count("view")
  return {
    steps: steps.map((action, index) => {
      const before = steps[index - 1]
      const step = count(action)
      const previous = before && count(before)
      return {
        action,
        ...fromView(step, view),
        click_rate_from_previous: ratio(step.clicks, previous?.clicks),
        visitor_rate_from_previous: ratio(step.visitors, previous?.visitors)
      }
    }),
    compare: { action: "compare", ...fromView(count("compare"), view) }
  }
}
