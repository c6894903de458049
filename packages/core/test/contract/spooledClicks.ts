import type { ClickEvent } from "../../src/clicks/ClickEvent.ts"
import * as ClickId from "../../src/clicks/ClickId.ts"
import { Spool, type SpooledClick } from "../../src/clicks/Spool.ts"

const noon = Date.UTC(2026, 10, 20, 12)
let made = 0

/** A click that differs from all made before. */
export const spooledClick = (fields: Partial<ClickEvent> = {}): SpooledClick => {
  const received_at = new Date(noon + made++)
  const event: ClickEvent = {
    id: ClickId.make(noon),
    event_type: "product_click",
    product_id: `p-${made}`,
    action: "view",
    source: "web",
    store_id: "s-17",
    brand_id: null,
    campaign_id: "spring-sale",
    dispensary_name: null,
    page_type: null,
    url_path: "/products",
    visitor_city: "Phoenix",
    visitor_state: "AZ",
    visitor_lat: 33.45,
    visitor_lng: -112.07,
    user_id: null,
    ip_address: "203.0.113.9",
    user_agent: "Mozilla/5.0",
    device_type: "desktop",
    occurred_at: received_at,
    received_at,
    ...fields
  }
  return { event, quarantined: null }
}

export const spooledClicks = (count: number): ReadonlyArray<SpooledClick> =>
  Array.from({ length: count }, () => spooledClick())

export const append = (clicks: ReadonlyArray<SpooledClick>) => Spool.use((spool) => spool.append(clicks))
export const peek = (limit: number, after?: number) => Spool.use((spool) => spool.peek(limit, after))
export const remove = (positions: ReadonlyArray<number>) => Spool.use((spool) => spool.remove(positions))
export const status = Spool.use((spool) => spool.status)
