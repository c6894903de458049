import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

/** A row of `clicks`: what a click has beside the constant `event_type`. */
export type ClickRow = Omit<ClickEvent, "event_type">

const { float8, text, timestamptz, uuid } = PgTypes.OID

const types: Readonly<Record<keyof ClickRow, number>> = {
  id: uuid,
  product_id: text,
  action: text,
  source: text,
  store_id: text,
  brand_id: text,
  campaign_id: text,
  dispensary_name: text,
  page_type: text,
  url_path: text,
  visitor_city: text,
  visitor_state: text,
  visitor_lat: float8,
  visitor_lng: float8,
  user_id: text,
  ip_address: text,
  user_agent: text,
  device_type: text,
  occurred_at: timestamptz,
  received_at: timestamptz
}

/** The columns of `clicks`, in the order of the event's fields. */
export const columnNames = Object.keys(types) as ReadonlyArray<keyof ClickRow>

/** A batch by columns: an array parameter for each of `columnNames`. */
export const toColumns = (batch: ReadonlyArray<ClickEvent>): ReadonlyArray<PgTypes.Parameter> =>
  columnNames.map((name) =>
    Result.getOrThrow(
      PgTypes.array(
        batch.map((event) => event[name]),
        types[name]
      )
    )
  )

export const toClickEvent = ({ id, ...row }: ClickRow): ClickEvent => ({
  id,
  event_type: "product_click",
  ...row
})
