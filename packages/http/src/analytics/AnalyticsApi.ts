import { defaultLimit, groupFields, maxLimit } from "@clicks/core/analytics/AnalyticsQuery"
import { ClickGroups } from "@clicks/core/analytics/ClickGroup"
import { Funnels } from "@clicks/core/analytics/Funnel"
import { Interval } from "@clicks/core/analytics/Interval"
import { utc } from "@clicks/core/values/TimeZone"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Readers } from "../access/AccessApi.ts"
import { filter } from "../clicks/ListingApi.ts"
import { described, limit, parameter, repeatable } from "../openapi/declaration.ts"

const groupLimit = limit("Maximum groups returned; `total` counts all", maxLimit, defaultLimit)

const groups = HttpApiEndpoint.get("groups", "/api/analytics/product-clicks", {
  query: {
    ...filter,
    group_by: repeatable("Field to group by; repeatable", {
      type: "array",
      items: { type: "string", enum: groupFields },
      examples: [["action", "source"]]
    }),
    interval: parameter("Also group by time. Weeks begin on Monday", {
      type: "string",
      enum: Interval.literals
    }),
    tz: parameter("IANA time zone for buckets, and for dates and times without an offset", {
      type: "string",
      default: utc,
      examples: ["Europe/Berlin"]
    }),
    limit: groupLimit
  },
  success: ClickGroups
}).annotateMerge(
  described({
    summary: "Count clicks and visitors",
    failure: "Failed to count product click events",
    description: [
      "Groups clicks by field, by time, or both. Without group_by and interval, returns one group.",
      "Sorted by bucket, then by clicks (descending), then by field values. Empty groups are omitted.",
      "A bucket is identified by its start: the first instant of a day, week or month in tz, or a full hour on the local clock. When clocks go back, the repeated hour is two buckets."
    ].join(" ")
  })
)

const funnel = HttpApiEndpoint.get("funnel", "/api/analytics/funnel", {
  query: {
    ...filter,
    // Declared so that it is refused instead of ignored.
    action: parameter("Not supported", false),
    group_by: parameter("One funnel per campaign or per product", {
      type: "string",
      enum: ["campaign_id", "product_id"],
      default: "campaign_id"
    }),
    limit: groupLimit
  },
  success: Funnels
}).annotateMerge(
  described({
    summary: "Conversion funnel",
    failure: "Failed to count product click events",
    description:
      "Clicks and visitors of the steps view, compare, open_product and open_store, per campaign or product, with conversion rates from the first and the previous step. Steps are counted independently, so a rate can exceed 1. A rate is null if its divisor is 0 or a count is unknown."
  })
)

/** Counts, visitors and conversion funnels. */
export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(groups, funnel)
  .middleware(Readers)
  .annotateMerge(
    OpenApi.annotations({ title: "Analytics", description: "Counts, visitors and conversion funnels" })
  ) {}
