import { type AnalyticsQuery, groupFields } from "@clicks/core/analytics/AnalyticsQuery"
import type { FunnelQuery } from "@clicks/core/analytics/Funnel"
import { Interval } from "@clicks/core/analytics/Interval"
import { ClickAction, type ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { DeviceType } from "@clicks/core/clicks/DeviceType"
import * as Uuid from "@clicks/core/values/Uuid"
import { Arbitrary, Schema } from "effect"
import { clockChanges } from "./clockChanges.ts"

const hour = 3_600_000
const changes = Object.values(clockChanges)
  .flat()
  .map((time) => Date.parse(time))

// Up to two days from a change of some clock, often on the very millisecond or beside it.
const instant = Schema.Struct({
  change: Schema.Literals(changes),
  away: Schema.Union([
    Schema.Literals([-hour, -1, 0, 1, hour - 1, hour]),
    Schema.Int.check(Schema.isBetween({ minimum: -2 * hour, maximum: 2 * hour })),
    Schema.Int.check(Schema.isBetween({ minimum: -48 * hour, maximum: 48 * hour }))
  ])
})

// Few values, so that groups have members; among them two whose order by UTF-16 is not that of their code points.
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
  received_at: new Date(instant.change)
})

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

const FilterParts = Schema.Struct({
  product_id: optional(Schema.Union([text, Schema.Literals(["a\0"])])),
  store_id: optional(text),
  campaign_id: optional(text),
  source: optional(text),
  from: optional(instant),
  to: optional(instant)
})

type Bounds = { readonly from?: typeof instant.Type; readonly to?: typeof instant.Type }

const withDates = <A extends Bounds>({ from, to, ...equal }: A) => ({
  ...equal,
  ...(from && { from: new Date(from.change + from.away) }),
  ...(to && { to: new Date(to.change + to.away) })
})

const limit = Schema.Literals([1, 2, 10, 1000])

const QueryParts = Schema.Struct({
  filter: Schema.Struct({ ...FilterParts.fields, action: optional(ClickAction) }),
  // Mostly without a filter: with one, few clicks are left to group.
  filtered: Schema.Literals([true, false, false]),
  groupBy: Schema.Array(Schema.Literals(groupFields)).check(Schema.isMaxLength(3)),
  axis: optional(Schema.Struct({ interval: Interval, timeZone: Schema.Literals(Object.keys(clockChanges)) })),
  limit
})

export const arbitraryAnalyticsQuery: Arbitrary.Arbitrary<AnalyticsQuery> = Arbitrary.map(
  Arbitrary.schema(QueryParts),
  ({ filter, filtered, groupBy, ...query }) => ({
    ...query,
    groupBy: Array.from(new Set(groupBy)),
    filter: filtered ? withDates(filter) : {}
  })
)

const FunnelParts = Schema.Struct({
  filter: FilterParts,
  filtered: Schema.Boolean,
  groupBy: Schema.Literals(["campaign_id", "product_id"]),
  limit
})

export const arbitraryFunnelQuery: Arbitrary.Arbitrary<FunnelQuery> = Arbitrary.map(
  Arbitrary.schema(FunnelParts),
  ({ filter, filtered, ...query }) => ({ ...query, filter: filtered ? withDates(filter) : {} })
)
