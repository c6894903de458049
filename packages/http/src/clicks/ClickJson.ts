import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"

/**
 * Encodes a click, with its fields in order. With `JSON.stringify` it takes 2 µs; 3.5 if that calls `toJSON` of the times, and 5.5 if the
 * schema encodes the click.
 */
export const encode = (event: ClickEvent): typeof ClickEvent.Encoded => ({
  id: event.id,
  event_type: event.event_type,
  product_id: event.product_id,
  action: event.action,
  source: event.source,
  store_id: event.store_id,
  brand_id: event.brand_id,
  campaign_id: event.campaign_id,
  dispensary_name: event.dispensary_name,
  page_type: event.page_type,
  url_path: event.url_path,
  visitor_city: event.visitor_city,
  visitor_state: event.visitor_state,
  visitor_lat: event.visitor_lat,
  visitor_lng: event.visitor_lng,
  user_id: event.user_id,
  ip_address: event.ip_address,
  user_agent: event.user_agent,
  device_type: event.device_type,
  occurred_at: event.occurred_at.toISOString(),
  received_at: event.received_at.toISOString()
})

/** A click as JSON. */
export const text = (event: ClickEvent): string => JSON.stringify(encode(event))
