import * as AnalyticsQuery from "@clicks/core/analytics/AnalyticsQuery"
import { ClickGroups } from "@clicks/core/analytics/ClickGroup"
import { Cohorts, maxCohorts } from "@clicks/core/analytics/Cohorts"
import { Comparison } from "@clicks/core/analytics/Comparison"
import { Funnels } from "@clicks/core/analytics/Funnel"
import { funnelFields } from "@clicks/core/analytics/FunnelQuery"
import { Interval } from "@clicks/core/analytics/Interval"
import { defaultPairs, maxProducts, ProductPairs } from "@clicks/core/analytics/ProductPairs"
import { VisitorBuckets } from "@clicks/core/analytics/VisitorBuckets"
import { ClickAction } from "@clicks/core/clicks/ClickEvent"
import { equalityFields } from "@clicks/core/clicks/ClickFilter"
import { utc } from "@clicks/core/values/TimeZone"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Readers, Viewers } from "../access/AccessApi.ts"
import { filter } from "../clicks/ListingApi.ts"
import { described, limit, parameter, repeatable } from "../openapi/declaration.ts"

const failure = "Failed to count product click events"

const tz = parameter("IANA time zone for buckets, comparisons, and dates and times without an offset", {
  type: "string",
  default: utc,
  examples: ["Europe/Berlin"]
})

const choice = (description: string, choices: ReadonlyArray<string>, byDefault?: string) =>
  parameter(description, {
    type: "string",
    enum: choices,
    ...(byDefault !== undefined && { default: byDefault })
  })

const flag = (description: string, byDefault: boolean) =>
  parameter(description, { type: "boolean", default: byDefault })

const listed = (description: string, values: ReadonlyArray<string>, ...example: ReadonlyArray<string>) =>
  repeatable(description, {
    type: "array",
    items: { type: "string", enum: values },
    examples: [example]
  })

const compare = choice(
  "Also count an earlier period: the one of equal length just before, or the same weekdays a year (364 days) before. A range that has not ended is compared with the same part of that period. Requires from, and before or to",
  Comparison.literals
)

const totals = flag("Also return the totals of all groups, and each group's share of them", false)

const visitors = flag("Count visitors. If false, the response is faster and `visitors` is null", true)

const interval = (description: string, byDefault?: string) =>
  choice(`${description}. Weeks begin on Monday. Empty buckets are included`, Interval.literals, byDefault)

const groups = HttpApiEndpoint.get("groups", "/api/analytics/product-clicks", {
  query: {
    ...filter,
    group_by: listed(
      "Field to group by, at most two; repeated or separated by commas",
      equalityFields,
      "action",
      "source"
    ),
    interval: interval("Also group by time"),
    bucket: choice("Group by weekday and hour in tz: 168 rows per group", ["hour-of-week"]),
    tz,
    compare,
    sort: choice(
      "Order of groups: by clicks, by change of clicks (requires compare), by clicks with an action, or by the fields",
      AnalyticsQuery.sorts,
      "total"
    ),
    order: choice("Direction of sort; asc by default with sort=key", ["asc", "desc"], "desc"),
    pivot: choice("Also return the clicks with each action", ["action"]),
    without: listed(
      "Only groups that have clicks, but none with this action; repeated or separated by commas",
      ClickAction.literals,
      "open_product"
    ),
    totals,
    visitors,
    limit: limit(
      `Maximum groups returned; \`total\` counts all. The default with interval or bucket is ${AnalyticsQuery.defaultAxisLimit}`,
      AnalyticsQuery.maxLimit,
      AnalyticsQuery.defaultLimit
    )
  },
  success: ClickGroups
}).annotateMerge(
  described({
    summary: "Count clicks and visitors",
    failure,
    description: [
      "Groups clicks by field, by time, or both. Without group_by and interval, returns one group.",
      "With interval or bucket, each returned group has a row for every bucket, including empty ones; rows are sorted by bucket, then by group.",
      "A bucket is identified by its start: the first instant of a day, week or month in tz, or a full hour on the local clock. When clocks go back, the repeated hour is two buckets.",
      "The buckets cover the range; where it has no start or end, they begin or end with the first or last click.",
      `Results of more than ${AnalyticsQuery.maxRows} rows are rejected.`
    ].join(" ")
  })
)

const funnel = HttpApiEndpoint.get("funnel", "/api/analytics/funnel", {
  query: {
    ...filter,
    // Declared so that it is rejected instead of ignored.
    action: parameter("Not supported", false),
    tz,
    group_by: choice("One funnel per value of this field", funnelFields, "campaign_id"),
    compare,
    totals: flag("Also return the funnel of all clicks", false),
    visitors,
    limit: limit(
      "Maximum funnels returned; `total` counts all",
      AnalyticsQuery.maxLimit,
      AnalyticsQuery.defaultLimit
    )
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
  query: { ...filter, tz, interval: interval("Length of a bucket", "day") },
  success: VisitorBuckets
}).annotateMerge(
  described({
    summary: "New and returning visitors",
    failure,
    description:
      "Visitors per bucket. A visitor is new in the bucket of their first click, whether or not that click matches the filters, and returning in later ones. Clicks that identify no visitor are left out."
  })
)

const cohorts = HttpApiEndpoint.get("cohorts", "/api/analytics/cohorts", {
  query: { ...filter, tz },
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
    tz,
    limit: limit("Maximum pairs returned; `total` counts all", AnalyticsQuery.maxLimit, defaultPairs)
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
