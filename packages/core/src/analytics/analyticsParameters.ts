import { actions, type EqualityField, equalityFields, filterParameters } from "../clicks/ClickFilter.ts"
import { choice, choices, count, flag, text } from "../values/Parameter.ts"

export const intervals = ["hour", "day", "week", "month"] as const
export const comparisons = ["previous", "year"] as const

/** The measures by which groups can be sorted: all clicks, their change from the earlier period, the clicks of an action, or the values. */
export const sorts = ["total", "change", ...actions, "key"] as const

/** The fields by which funnels can be grouped. */
export type FunnelField = Exclude<EqualityField, "action">
export const funnelFields = equalityFields.filter((field): field is FunnelField => field !== "action")

/** The default limit of groups. */
const defaultLimit = 1000
/** The default limit of groups with an axis: each group has a row for every slot. */
export const defaultAxisLimit = 20
const defaultPairs = 100
export const maxLimit = 10_000

const limitOf = (what: string, fallback: number) =>
  count(`Maximum ${what} returned; total counts all`, 1, fallback, maxLimit)

/** The limit of groups in every slot of an axis. */
export const axisLimit = limitOf("groups", defaultAxisLimit)

/** The filters of all statistics. */
export const scopeParameters = {
  ...filterParameters,
  tz: text(
    "IANA time zone of buckets, comparisons, and dates and times without an offset; default UTC",
    "zone",
    "Europe/Berlin"
  )
}

const compare = choice(
  "Also count an earlier period: the one of equal length just before, or the same weekdays a year (364 days) before. A range that has not ended is compared with the same part of that period. Requires `from`, and `before` or `to`",
  "period",
  comparisons
)
const visitors = flag("Count visitors. If false, the response is faster and their number is null", true)
const buckets = "Weeks begin on Monday. Empty buckets are included"

/** The parameters of groups, in addition to the filters. */
export const groupParameters = {
  group_by: choices("Group by one or two fields", "fields", equalityFields, 2, "action", "source"),
  interval: choice(`Also group by time. ${buckets}`, "interval", intervals),
  bucket: choice("Group by weekday and hour: 168 rows per group", "bucket", ["hour-of-week"]),
  compare,
  sort: choice(
    "Order groups by clicks (the default), by change of clicks (requires `compare`), by clicks with an action, or by the fields",
    "value",
    sorts
  ),
  order: choice("Direction of `sort`; desc by default, asc with `sort=key`", "direction", ["asc", "desc"]),
  pivot: choice("Also return the number of clicks with each action", "columns", ["action"]),
  without: choices(
    "Only groups that have clicks, but none with these actions",
    "actions",
    actions,
    Number.POSITIVE_INFINITY,
    "open_product"
  ),
  totals: flag("Also return the totals of all groups, and each group's share of them", false),
  visitors,
  limit: limitOf("groups", defaultLimit)
}

/** The parameters of funnels, in addition to the filters. */
export const funnelParameters = {
  group_by: choice("One funnel per value of this field", "field", funnelFields, "campaign_id"),
  compare,
  totals: flag("Also return the funnel of all clicks", false),
  visitors,
  limit: limitOf("funnels", defaultLimit)
}

/** The parameter of new and returning visitors, in addition to the filters. */
export const visitorParameters = {
  interval: choice(`Length of a bucket. ${buckets}`, "interval", intervals, "day")
}

/** The parameter of pairs of products, in addition to the filters. */
export const pairParameters = { limit: limitOf("pairs", defaultPairs) }
