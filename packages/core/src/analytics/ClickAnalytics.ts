import { Context, type Effect } from "effect"
import type { ClickAnalyticsError, Unidentified } from "./ClickAnalyticsError.ts"
import type { Funnels } from "./funnel/Funnel.ts"
import type { FunnelQuery } from "./funnel/FunnelQuery.ts"
import type { AnalyticsQuery } from "./groups/AnalyticsQuery.ts"
import type { ClickGroups } from "./groups/ClickGroup.ts"
import type { CohortQuery, Cohorts } from "./visitors/Cohorts.ts"
import type { PairQuery, ProductPairs } from "./visitors/ProductPairs.ts"
import type { VisitorBuckets, VisitorQuery } from "./visitors/VisitorBuckets.ts"

type Counted<A> = Effect.Effect<A, ClickAnalyticsError>

/** Counts stored clicks. Each result comes from one snapshot. */
export class ClickAnalytics extends Context.Service<
  ClickAnalytics,
  {
    /** Clicks and visitors per group. `ClickGroup` defines the fields, the order and the limit. */
    readonly groups: (query: AnalyticsQuery) => Counted<ClickGroups & Unidentified>
    /** The steps from view to open_store per value of a field. */
    readonly funnel: (query: FunnelQuery) => Counted<Funnels & Unidentified>
    /** New and returning visitors over time. */
    readonly visitors: (query: VisitorQuery) => Counted<VisitorBuckets>
    /** Visitors by the week of their first click, and how many of them returned. */
    readonly cohorts: (query: CohortQuery) => Counted<Cohorts>
    /** Products clicked by one visitor in one visit. */
    readonly pairs: (query: PairQuery) => Counted<ProductPairs>
  }
>()("@clicks/core/analytics/ClickAnalytics") {}
