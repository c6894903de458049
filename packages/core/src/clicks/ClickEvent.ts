import { Schema } from "effect"
import { DeviceType } from "./DeviceType.ts"

/** The five actions a click can stand for, in the specification's order. */
export const actions = ["view", "open_store", "open_product", "compare", "other"] as const
export const ClickAction = Schema.Literals(actions)
export type ClickAction = typeof ClickAction.Type

const text = (description: string, example: string) =>
  Schema.NullOr(Schema.String).annotate({ description, examples: [example] })

const instant = (description: string) =>
  Schema.DateFromString.pipe(
    Schema.annotateEncoded({ description, format: "date-time", examples: ["2026-11-20T10:00:00.000Z"] })
  )

/**
 * A stored product click event: section 2.2 of the specification, `id` and `received_at`.
 *
 * The field names are those of the wire and of the table, so that a click is never renamed on its way. Times are UTC with
 * milliseconds; their encoded form is ISO 8601.
 */
export const ClickEvent = Schema.Struct({
  id: Schema.String.annotate({
    description:
      "UUID of the event: version 7 when the service gave it, 8 when it follows from an Idempotency-Key or an imported row",
    format: "uuid",
    examples: ["019aa0d2-5c00-7000-8000-5f2b0c9d1e3a"]
  }),
  event_type: Schema.Literal("product_click"),
  product_id: Schema.String.annotate({ examples: ["p-1001"] }),
  action: ClickAction,
  source: Schema.String.annotate({
    description: "What sent the click, as it names itself",
    examples: ["web"]
  }),
  store_id: text("Store the product was shown in", "s-17"),
  brand_id: text("Brand of the product", "b-4"),
  campaign_id: text("Campaign that led to the click", "spring-sale"),
  dispensary_name: text("Name of the dispensary", "Green Leaf"),
  page_type: text("Page where the event occurred", "category"),
  url_path: text("URL path, kept for debugging", "/products/p-1001"),
  visitor_city: text("From the front end's IP geolocation", "Phoenix"),
  visitor_state: text("From the front end's IP geolocation", "AZ"),
  visitor_lat: Schema.NullOr(Schema.Finite).annotate({
    description: "Degrees; 0 is stored as null",
    examples: [33.45]
  }),
  visitor_lng: Schema.NullOr(Schema.Finite).annotate({
    description: "Degrees; 0 is stored as null",
    examples: [-112.07]
  }),
  user_id: text("User id of the authenticated caller", "u-5"),
  ip_address: text("Client address", "203.0.113.9"),
  user_agent: text("The request's User-Agent header", "Mozilla/5.0"),
  device_type: DeviceType,
  occurred_at: instant("When the click happened"),
  received_at: instant("When the service accepted the click")
}).annotate({ identifier: "ClickEvent" })

export interface ClickEvent extends Schema.Schema.Type<typeof ClickEvent> {}

/** The names of a click's fields, in the order in which tables and CSV files show them. */
export const fieldNames = Object.keys(ClickEvent.fields) as ReadonlyArray<keyof ClickEvent>

/** Listing order: newest `occurred_at` first, ties by `id` descending. */
export const compareListing = (
  a: Pick<ClickEvent, "id" | "occurred_at">,
  b: Pick<ClickEvent, "id" | "occurred_at">
): number => b.occurred_at.getTime() - a.occurred_at.getTime() || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
