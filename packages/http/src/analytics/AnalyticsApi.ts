import { ClickGroups } from "@clicks/core/analytics/ClickGroup"
import { Funnels } from "@clicks/core/analytics/Funnel"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Readers } from "../access/AccessApi.ts"
import { filter } from "../clicks/ListingApi.ts"
import { BadRequest, FailureMessage, InternalFailure } from "../errors.ts"
import { documentedFunnel, documentedGroups } from "./analyticsParameters.ts"

const text = (description: string) => Schema.optionalKey(Schema.String.annotate({ description }))

const texts = (description: string) =>
  Schema.optionalKey(Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate({ description }))

const limit = text("Groups in the answer; `total` tells of more")

const groups = HttpApiEndpoint.get("groups", "/api/analytics/product-clicks", {
  query: {
    ...filter,
    group_by: texts("What the clicks of a group have in common; repeatable"),
    interval: text("Cuts time into buckets, each with groups of its own. Weeks begin on Monday"),
    tz: text("IANA time zone of the buckets, and of dates and times without an offset"),
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
        "In groups, in buckets of time, or both; without either, the one group of all that match.",
        "By bucket, then most clicks first, then by the fields; groups without clicks are left out.",
        "A bucket is named by the instant at which it begins: a day, week or month with the first instant of its first date there; an hour with the full hour on the clock there, so that the hour that a clock going back shows twice is two buckets."
      ].join(" ")
    })
  )

const funnel = HttpApiEndpoint.get("funnel", "/api/analytics/funnel", {
  query: {
    // With `action`, which is not documented: it is declared to be refused and not ignored.
    ...filter,
    group_by: text("Whose funnels"),
    limit
  },
  success: Funnels,
  error: [BadRequest, InternalFailure]
})
  .middleware(Readers)
  .annotate(FailureMessage, "Failed to count product click events")
  .annotateMerge(
    OpenApi.annotations({
      summary: "From view to store",
      transform: documentedFunnel,
      description:
        "Clicks and visitors of the steps view, compare, open_product and open_store, per campaign or product, with the rates from the first step and from the one before. Each step is counted alone, so a rate can be above 1; where its divisor is 0 or a number is unknown it is null."
    })
  )

/** What clicks add up to: for readers and admins. */
export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(groups, funnel)
  .annotateMerge(OpenApi.annotations({ title: "Analytics", description: "What clicks add up to" })) {}
