import type { ListingPosition } from "@clicks/core/clicks/ClickCursor"
import { ClickAction, type ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { type ClickFilter, equalityFields } from "@clicks/core/clicks/ClickFilter"
import { DeviceType } from "@clicks/core/clicks/DeviceType"
import { replaceUnstorable } from "@clicks/core/values/Text"
import { Arbitrary, Schema } from "effect"

const noon = Date.UTC(2026, 10, 20, 12)

// Few values, so that clicks share them and filters match some; they include values that are difficult for quoting and arrays.
const known = ["p-1", "p-2", 'it\'s "q" \\ {a,b}', "NULL", "Zoë 😀"]
const text = Schema.Union([Schema.Literals(known), Schema.String])
const millis = Schema.Union([
  Schema.Int.check(Schema.isBetween({ minimum: noon, maximum: noon + 3 })),
  Schema.Literals([
    Date.parse("0001-01-01T00:00:00.001Z"),
    Date.parse("1969-12-31T23:59:59.999Z"),
    Date.parse("9999-12-31T23:59:59.999Z")
  ])
])
const degrees = Schema.Union([
  Schema.Literals([5e-324, -1.7976931348623157e308, 33.45, -112.07]),
  Schema.Finite
])

const position = (number: number, time: number): ListingPosition => ({
  id: `019aa0d2-5c00-7000-8000-${number.toString(16).padStart(12, "0")}`,
  occurred_at: new Date(time)
})

const ClickParts = Schema.Struct({
  number: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 32 })),
  product_id: text,
  action: ClickAction,
  source: text,
  store_id: Schema.NullOr(text),
  brand_id: Schema.NullOr(text),
  campaign_id: Schema.NullOr(text),
  page_type: Schema.NullOr(text),
  url_path: Schema.NullOr(text),
  visitor_city: Schema.NullOr(text),
  visitor_state: Schema.NullOr(text),
  visitor_id: Schema.NullOr(text),
  session_id: Schema.NullOr(text),
  visitor_lat: Schema.NullOr(degrees),
  visitor_lng: Schema.NullOr(degrees),
  device_type: DeviceType,
  occurred: millis,
  received: millis,
  client: Schema.NullOr(millis)
})

const storable = (value: string | null): string | null => (value === null ? null : replaceUnstorable(value))

const toClick = (parts: typeof ClickParts.Type): ClickEvent => ({
  ...position(parts.number, parts.occurred),
  event_type: "product_click",
  product_id: replaceUnstorable(parts.product_id),
  action: parts.action,
  source: replaceUnstorable(parts.source),
  store_id: storable(parts.store_id),
  brand_id: storable(parts.brand_id),
  campaign_id: storable(parts.campaign_id),
  dispensary_name: null,
  page_type: storable(parts.page_type),
  url_path: storable(parts.url_path),
  visitor_city: storable(parts.visitor_city),
  visitor_state: storable(parts.visitor_state),
  visitor_lat: parts.visitor_lat || null,
  visitor_lng: parts.visitor_lng || null,
  visitor_id: storable(parts.visitor_id),
  session_id: storable(parts.session_id),
  user_id: null,
  ip_address: null,
  user_agent: null,
  device_type: parts.device_type,
  received_at: new Date(parts.received),
  client_occurred_at: parts.client === null ? null : new Date(parts.client)
})

/** Valid clicks: every text can be stored, every time is in the years 0001 to 9999. */
export const arbitraryClick: Arbitrary.Arbitrary<ClickEvent> = Arbitrary.map(
  Arbitrary.schema(ClickParts),
  toClick
)

/** Batches in which about every third click has the id of another click and otherwise different values. */
export const arbitraryBatch: Arbitrary.Arbitrary<ReadonlyArray<ClickEvent>> = Arbitrary.map(
  Arbitrary.all([
    Arbitrary.array(arbitraryClick, { maxLength: 20 }),
    Arbitrary.array(arbitraryClick, { maxLength: 10 })
  ]),
  ([clicks, others]) => [
    ...clicks,
    ...others.map((other, index) => ({ ...other, id: clicks[index * 2]?.id ?? other.id }))
  ]
)

const unstorable = ["a\0b", "\ud83d"]
const sought = Schema.Union([Schema.Literals([...known, ...unstorable, "nothing has this"]), Schema.String])
const bound = Schema.Union([millis, Schema.Literals([-8.64e15, -210_866_803_200_000, 8.64e15])])

const soughtIn = {
  action: Schema.Union([ClickAction, Schema.Literals(["jump", "a\0b"])]),
  device_type: Schema.Union([DeviceType, Schema.Literals(["phone", "a\0b"])])
}
const equal = equalityFields.map((field) =>
  Schema.Struct({ [field]: field === "action" || field === "device_type" ? soughtIn[field] : sought })
)

const FilterParts = Schema.Struct({
  // Few, because hardly any click has four given values.
  equal: Schema.Array(Schema.Union(equal)).check(Schema.isMaxLength(3)),
  from: Schema.optionalKey(bound),
  to: Schema.optionalKey(bound)
})

/** Filters by any fields, including values and bounds that no store can hold. */
export const arbitraryFilter: Arbitrary.Arbitrary<ClickFilter> = Arbitrary.map(
  Arbitrary.schema(FilterParts),
  ({ equal, from, to }) => ({
    ...Object.assign({}, ...equal),
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) })
  })
)

const PageParts = Schema.Struct({
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 12 })),
  offset: Schema.Literals([0, 0, 1, 7, 1_000_000_000_000]),
  after: Schema.optionalKey(
    Schema.Struct({ number: Schema.Literals([0, 7, 2 ** 40]), time: Schema.Union([bound, millis]) })
  )
})

/** The part of the listing to return; `after` is mostly a position without a click. */
export const arbitraryPage = Arbitrary.map(Arbitrary.schema(PageParts), ({ after, limit, offset }) =>
  after === undefined ? { limit, offset } : { limit, offset: 0, after: position(after.number, after.time) }
)
