import { maxRows } from "@clicks/core/analytics/AnalyticsQuery"
import {
  defaultAxisLimit,
  funnelParameters,
  groupParameters,
  pairParameters,
  scopeParameters,
  visitorParameters
} from "@clicks/core/analytics/analyticsParameters"
import { ClickGroups } from "@clicks/core/analytics/ClickGroup"
import { Cohorts, maxCohorts } from "@clicks/core/analytics/Cohorts"
import { Funnels } from "@clicks/core/analytics/Funnel"
import { maxProducts, ProductPairs } from "@clicks/core/analytics/ProductPairs"
import { VisitorBuckets } from "@clicks/core/analytics/VisitorBuckets"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Readers, Viewers } from "../access/AccessApi.ts"
import { described, parameter, query } from "../openapi/declaration.ts"

const failure = "Failed to count product click events"

const filter = query(scopeParameters)

const groups = HttpApiEndpoint.get("groups", "/api/analytics/product-clicks", {
  query: { ...filter, ...query(groupParameters) },
  success: ClickGroups
}).annotateMerge(
  described({
    summary: "Count clicks and visitors",
    failure,
    description: [
      "Groups clicks by field, by time, or both. Without group_by and interval, returns one group.",
      `With interval or bucket, the default limit is ${defaultAxisLimit}, and each returned group has a row for every bucket, including empty ones; rows are sorted by bucket, then by group.`,
      "A bucket is identified by its start: the first instant of a day, week or month in tz, or a full hour on the local clock. When clocks go back, the repeated hour is two buckets.",
      "The buckets cover the range; if it has no start or end, they begin or end with the first or last click.",
      `Results of more than ${maxRows} rows are rejected.`
    ].join(" ")
  })
)

const funnel = HttpApiEndpoint.get("funnel", "/api/analytics/funnel", {
  query: {
    ...filter,
    // Declared so that it is rejected instead of ignored.
    action: parameter("Not supported", false),
    ...query(funnelParameters)
  },
  success: Funnels
}).annotateMerge(
  described({
    summary: "Conversion funnel",
    failure,
    description:
      "Clicks and visitors of the steps view, open_product and open_store, per campaign or another field, with conversion rates from the first and the previous step. The action compare is not a step; it is counted beside them. Steps are counted independently, so a rate can exceed 1. A rate is null if its divisor is 0 or a count is unknown."
  })
)

const newAndReturning = HttpApiEndpoint.get("visitors", "/api/analytics/visitors", {
  query: { ...filter, ...query(visitorParameters) },
  success: VisitorBuckets
}).annotateMerge(
  described({
    summary: "New and returning visitors",
    failure,
    description:
      "Visitors per bucket. A visitor is new in the bucket of their first click, whether or not that click matches the filters, and returning in later ones. Clicks that identify no visitor are omitted."
  })
)

const cohorts = HttpApiEndpoint.get("cohorts", "/api/analytics/cohorts", {
  query: filter,
  success: Cohorts
}).annotateMerge(
  described({
    summary: "Cohorts of visitors",
    failure,
    description: `Visitors by the week of their first click, and how many of them clicked again in each later week. from, to and before apply to first clicks too. Returns the latest ${maxCohorts} weeks.`
  })
)

const pairs = HttpApiEndpoint.get("pairs", "/api/analytics/pairs", {
  query: {
    ...filter,
    product_id: parameter("Only pairs with this product", { type: "string", examples: ["p-1001"] }),
    ...query(pairParameters)
  },
  success: ProductPairs
}).annotateMerge(
  described({
    summary: "Products clicked together",
    failure,
    description: `Pairs of products that one visitor clicked in one visit, most visits first. A visit is a session_id or, for clicks without one, a day in tz. Visits with more than ${maxProducts} products are not paired; their number is returned.`
  })
)

/** Counts, visitors and conversion funnels. */
export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(newAndReturning, cohorts, pairs)
  .middleware(Readers)
  // The endpoints above also read clicks that the filter excludes (the first clicks of visitors, other products), so share links cannot use
  // them.
  .add(groups.middleware(Viewers), funnel.middleware(Viewers))
  .annotateMerge(
    OpenApi.annotations({ title: "Analytics", description: "Counts, visitors and conversion funnels" })
  ) {}
