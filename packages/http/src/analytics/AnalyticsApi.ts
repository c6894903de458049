import { ClickGroups } from "@clicks/core/analytics/ClickGroup"
import { Funnels } from "@clicks/core/analytics/Funnel"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Readers } from "../access/AccessApi.ts"
import { filter } from "../clicks/ListingApi.ts"
import { BadRequest, FailureMessage, InternalFailure } from "../responses/errors.ts"
import { documentedFunnel, documentedGroups } from "./analyticsParameters.ts"

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

const texts = (description: string) =>
  Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate({ description }))

const limit = text("Maximum groups returned; `total` counts all")

const groups = HttpApiEndpoint.get("groups", "/api/analytics/product-clicks", {
  query: {
    ...filter,
    group_by: texts("Field to group by; repeatable"),
    interval: text("Also group by time. Weeks begin on Monday"),
    tz: text("IANA time zone for buckets, and for dates and times without an offset"),
    limit
  },
  success: ClickGroups,
  error: [BadRequest, InternalFailure]
})
  .middleware(Readers)
  .annotate(FailureMessage, "Failed to count product click events")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Count clicks and visitors",
      transform: documentedGroups,
      description: [
        "Groups clicks by field, by time, or both. Without group_by and interval, returns one group.",
        "Sorted by bucket, then by clicks (descending), then by field values. Empty groups are omitted.",
        "A bucket is identified by its start: the first instant of a day, week or month in tz, or a full hour on the local clock. When clocks go back, the repeated hour is two buckets."
      ].join(" ")
    })
  )

const funnel = HttpApiEndpoint.get("funnel", "/api/analytics/funnel", {
  query: {
    // With `action`, which is not documented: it is declared to be refused and not ignored.
    ...filter,
    group_by: text("One funnel per campaign or per product"),
    limit
  },
  success: Funnels,
  error: [BadRequest, InternalFailure]
})
  .middleware(Readers)
  .annotate(FailureMessage, "Failed to count product click events")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Conversion funnel",
      transform: documentedFunnel,
      description:
        "Clicks and visitors of the steps view, compare, open_product and open_store, per campaign or product, with conversion rates from the first and the previous step. Steps are counted independently, so a rate can exceed 1. A rate is null if its divisor is 0 or a count is unknown."
    })
  )

/** Counts, visitors and conversion funnels: for readers and admins. */
export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(groups, funnel)
  .annotateMerge(
    OpenApi.annotations({ title: "Analytics", description: "Counts, visitors and conversion funnels" })
  ) {}
