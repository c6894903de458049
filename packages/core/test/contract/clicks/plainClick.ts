import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import * as Uuid from "@clicks/core/values/Uuid"

const noon = Date.UTC(2026, 10, 20, 12)

/** A click of Nov 20, 2026, 12:00 with no optional field, except those given. */
export const plainClick = (fields: Partial<ClickEvent> = {}): ClickEvent => ({
  id: Uuid.make(noon),
  event_type: "product_click",
  product_id: "p-1",
  action: "view",
  source: "contract",
  store_id: null,
  brand_id: null,
  campaign_id: null,
  dispensary_name: null,
  page_type: null,
  url_path: null,
  visitor_city: null,
  visitor_state: null,
  visitor_lat: null,
  visitor_lng: null,
  visitor_id: null,
  session_id: null,
  user_id: null,
  ip_address: null,
  user_agent: null,
  device_type: "desktop",
  occurred_at: new Date(noon),
  received_at: new Date(noon),
  client_occurred_at: null,
  ...fields
})

export const plainClicks = (count: number, fields: Partial<ClickEvent> = {}): Array<ClickEvent> =>
  Array.from({ length: count }, () => plainClick(fields))
