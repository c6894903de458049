import { type ClickEvent, fieldNames } from "@clicks/core/clicks/ClickEvent"
import { PgTypes } from "@effect/sql-pg"
import { arrayOf } from "../arrayOf.ts"

/** A row of `clicks`: a click without the constant `event_type`. */
export type ClickRow = Omit<ClickEvent, "event_type">

type Type = "uuid" | "text" | "float8" | "timestamptz"

const types: Readonly<Partial<Record<keyof ClickEvent, Type>>> = {
  id: "uuid",
  visitor_lat: "float8",
  visitor_lng: "float8",
  occurred_at: "timestamptz",
  received_at: "timestamptz",
  client_occurred_at: "timestamptz"
}

const typeOf = (name: keyof ClickRow): Type => types[name] ?? "text"

/** The columns of `clicks`, in the order of the event's fields. */
export const columnNames = fieldNames.filter((name) => name !== "event_type")

/** Those of `columnNames` that hold text. */
export const textColumns = columnNames.filter((name) => typeOf(name) === "text")

/** A batch by columns: an array parameter for each of `columnNames`. */
export const toColumns = (batch: ReadonlyArray<ClickEvent>): ReadonlyArray<PgTypes.Parameter> =>
  columnNames.map((name) =>
    arrayOf(
      typeOf(name),
      batch.map((event) => event[name])
    )
  )

const encoders: Readonly<Record<Type, (value: never) => PgTypes.Parameter>> = PgTypes

/** A click as a parameter for each of `columnNames`. */
export const toParameters = (event: ClickEvent): ReadonlyArray<PgTypes.Parameter> =>
  columnNames.map((column) => encoders[typeOf(column)](event[column] as never))

/**
 * The click of a row, without other columns of the row. Naming the fields takes 0.3 µs a click; spreading the row would be shorter and
 * takes 5.
 */
export const toClickEvent = (row: ClickRow): ClickEvent => ({
  id: row.id,
  event_type: "product_click",
  product_id: row.product_id,
  action: row.action,
  source: row.source,
  store_id: row.store_id,
  brand_id: row.brand_id,
  campaign_id: row.campaign_id,
  dispensary_name: row.dispensary_name,
  page_type: row.page_type,
  url_path: row.url_path,
  visitor_city: row.visitor_city,
  visitor_state: row.visitor_state,
  visitor_lat: row.visitor_lat,
  visitor_lng: row.visitor_lng,
  visitor_id: row.visitor_id,
  session_id: row.session_id,
  user_id: row.user_id,
  ip_address: row.ip_address,
  user_agent: row.user_agent,
  device_type: row.device_type,
  occurred_at: row.occurred_at,
  received_at: row.received_at,
  client_occurred_at: row.client_occurred_at
})
