import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as Uuid from "@clicks/core/values/Uuid"
import { Stream } from "effect"

/** A click of 1 kB; fields may be what no type allows. */
export const click = (fields: object = {}): ClickEvent => ({
  id: Uuid.make(Date.now()),
  event_type: "product_click",
  product_id: "p-1",
  action: "view",
  source: "web",
  store_id: null,
  brand_id: null,
  campaign_id: null,
  dispensary_name: null,
  page_type: null,
  url_path: "/".repeat(1000),
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
  occurred_at: new Date(),
  received_at: new Date(),
  client_occurred_at: null,
  ...fields
})

export const insert = (...batch: ReadonlyArray<ClickEvent>) => ClickStore.use((store) => store.insert(batch))
/** The newest click, and the total. */
export const list = ClickStore.use((store) => store.list({ filter: {}, limit: 1, offset: 0 }))
/** All clicks. */
export const stream = Stream.unwrap(ClickStore.useSync((store) => store.stream({})))
