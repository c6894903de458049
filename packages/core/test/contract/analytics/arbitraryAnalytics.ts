import type { AnalyticsQuery } from "@clicks/core/analytics/AnalyticsQuery"
import { funnelFields, intervals, sorts } from "@clicks/core/analytics/analyticsParameters"
import { earlierPeriod } from "@clicks/core/analytics/Comparison"
import type { FunnelQuery } from "@clicks/core/analytics/FunnelQuery"
import type { Axis } from "@clicks/core/analytics/Interval"
import { ClickAction, type ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { type ClickFilter, equalityFields } from "@clicks/core/clicks/ClickFilter"
import { DeviceType } from "@clicks/core/clicks/DeviceType"
import * as Uuid from "@clicks/core/values/Uuid"
import { Arbitrary, Schema } from "effect"
import { clockChanges } from "./clockChanges.ts"

const hour = 3_600_000
const changes = Object.values(clockChanges)
  .flat()
  .map((time) => Date.parse(time))

// Up to two days from a change of a clock, often at the very millisecond or next to it.
const instant = Schema.Struct({
  change: Schema.Literals(changes),
  away: Schema.Union([
    Schema.Literals([-hour, -1, 0, 1, hour - 1, hour]),
    Schema.Int.check(Schema.isBetween({ minimum: -2 * hour, maximum: 2 * hour })),
    Schema.Int.check(Schema.isBetween({ minimum: -48 * hour, maximum: 48 * hour }))
  ])
})

// Few values, so that groups have members. For two of them, the order by UTF-16 units differs from that by code points.
const text = Schema.Literals(["a", "A", "", "é", "\uffee", "😀", "null", "_"])
const nullable = Schema.NullOr(text)
const identity = Schema.NullOr(Schema.Literals(["1", "2", "3"]))

const ClickParts = Schema.Struct({
  product_id: text,
  action: ClickAction,
  source: text,
  store_id: nullable,
  brand_id: nullable,
  campaign_id: nullable,
  page_type: nullable,
  visitor_city: nullable,
  visitor_state: nullable,
  visitor_id: identity,
  session_id: nullable,
  user_id: identity,
  ip_address: identity,
  user_agent: identity,
  device_type: DeviceType,
  instant
})

const toClick = ({ instant, ...fields }: typeof ClickParts.Type): ClickEvent => ({
  ...fields,
  id: Uuid.make(instant.change),
  event_type: "product_click",
  dispensary_name: null,
  url_path: null,
  visitor_lat: null,
  visitor_lng: null,
  occurred_at: new Date(instant.change + instant.away),
  received_at: new Date(instant.change),
  client_occurred_at: null
})

/** A query for all clicks, in one group. */
export const everything = {
  filter: {},
  groupBy: [],
  ranking: { sort: "total", descending: true, without: [] },
  pivot: false,
  totals: false,
  visitors: true,
  limit: 10
} satisfies AnalyticsQuery

export const arbitraryClick: Arbitrary.Arbitrary<ClickEvent> = Arbitrary.map(
  Arbitrary.schema(ClickParts),
  toClick
)

export const arbitraryClicks: Arbitrary.Arbitrary<ReadonlyArray<ClickEvent>> = Arbitrary.array(
  arbitraryClick,
  {
    maxLength: 60
  }
)

const optional = Schema.optionalKey

const filterBy = (fields: ReadonlyArray<(typeof equalityFields)[number]>) =>
  Schema.Struct({
    equal: Schema.Array(
      Schema.Union([
        ...fields.map((field) => Schema.Struct({ [field]: ClickParts.fields[field] })),
        Schema.Struct({ product_id: Schema.Literal("a\0") })
      ])
    ).check(Schema.isMaxLength(2)),
    from: optional(instant),
    to: optional(instant)
  })
const FilterParts = filterBy(equalityFields.filter((field) => field !== "action"))

const toFilter = ({ equal, from, to }: typeof FilterParts.Type): ClickFilter => ({
  ...Object.fromEntries(equal.flatMap(Object.entries<string | null>).filter(([, value]) => value !== null)),
  ...(from && { from: new Date(from.change + from.away) }),
  ...(to && { to: new Date(to.change + to.away) })
})

const limit = Schema.Literals([1, 2, 10, 1000])
const timeZone = Schema.Literals(Object.keys(clockChanges))
const comparison = optional(Schema.Literals(["previous", "year"]))
const isOpen = Schema.Literals([false, false, true])

const QueryParts = Schema.Struct({
  filter: filterBy(equalityFields),
  // Mostly without a filter, because with one, few clicks are left to group.
  filtered: Schema.Literals([true, false, false]),
  groupBy: Schema.Array(Schema.Literals(equalityFields)).check(Schema.isMaxLength(2)),
  interval: optional(Schema.Literals([...intervals, "hour-of-week"])),
  timeZone,
  around: Schema.Literals(changes),
  isOpen,
  comparison,
  sort: Schema.Literals(sorts),
  descending: Schema.Boolean,
  without: Schema.Literals(["open_store", "view", "", ""]),
  pivot: Schema.Boolean,
  totals: Schema.Boolean,
  visitors: Schema.Literals([true, true, false]),
  limit
})

const day = 24 * hour
const widths = { hour: 2 * day, day: 20 * day, week: 60 * day, month: 90 * day, "hour-of-week": 300 * day }

// Narrow enough for a result of few rows. One end may be open if rows are long.
const rangeOf = ({ around, comparison, interval = "month", isOpen }: typeof QueryParts.Type) => ({
  from: new Date(around - widths[interval] + 1),
  ...((comparison || !isOpen || interval === "hour" || interval === "day") && {
    to: new Date(around + widths[interval])
  })
})

const earlierOf = (filter: ClickFilter, comparison: "previous" | "year" | undefined, timeZone: string) => {
  const { from, to } = filter
  if (comparison === undefined || from === undefined || to === undefined || from > to) return {}
  return { earlier: earlierPeriod({ from, to }, comparison, timeZone) }
}

export const arbitraryAnalyticsQuery: Arbitrary.Arbitrary<AnalyticsQuery> = Arbitrary.map(
  Arbitrary.schema(QueryParts),
  (parts): AnalyticsQuery => {
    const { comparison, filter, filtered, interval, isOpen: _, sort, timeZone, without, ...query } = parts
    const values = filtered ? toFilter(filter) : {}
    const all = interval || comparison ? { ...values, ...rangeOf(parts) } : values
    return {
      filter: all,
      groupBy: Array.from(new Set(query.groupBy)),
      ...(interval && { axis: { interval, timeZone } as Axis }),
      ...earlierOf(all, comparison, timeZone),
      ranking: { sort, descending: query.descending, without: without === "" ? [] : [without] },
      pivot: query.pivot,
      totals: query.totals,
      visitors: query.visitors,
      limit: query.limit
    }
  }
)

const FunnelParts = Schema.Struct({
  filter: FilterParts,
  filtered: Schema.Boolean,
  groupBy: Schema.Literals(funnelFields),
  comparison,
  timeZone,
  totals: Schema.Boolean,
  visitors: Schema.Boolean,
  limit
})

export const arbitraryFunnelQuery: Arbitrary.Arbitrary<FunnelQuery> = Arbitrary.map(
  Arbitrary.schema(FunnelParts),
  ({ comparison, filter, filtered, timeZone, ...query }) => {
    const values = filtered ? toFilter(filter) : {}
    return { ...query, filter: values, ...earlierOf(values, comparison, timeZone) }
  }
)

const VisitorParts = Schema.Struct({
  filter: FilterParts,
  filtered: Schema.Boolean,
  interval: Schema.Literals(["week", "month"]),
  timeZone,
  limit,
  now: Schema.Literals(["2100-01-01T00:00:00Z", "2026-03-29T22:30:00Z"])
})

/** A query for visitors, cohorts or pairs. */
export const arbitraryVisitorQuery = Arbitrary.map(
  Arbitrary.schema(VisitorParts),
  ({ filter, filtered, interval, timeZone, ...query }) => ({
    filter: filtered ? toFilter(filter) : {},
    axis: { interval, timeZone },
    timeZone,
    ...query
  })
)
