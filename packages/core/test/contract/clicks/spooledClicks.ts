import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { Spool, type SpooledClick } from "@clicks/core/clicks/recording/Spool"
import * as Uuid from "@clicks/core/values/Uuid"
import { Effect, Stream } from "effect"

const noon = Date.UTC(2026, 10, 20, 12)
let made = 0

/** A click that differs from all earlier ones. */
export const spooledClick = (fields: Partial<ClickEvent> = {}): SpooledClick => {
  const received_at = new Date(noon + made++)
  const event: ClickEvent = {
    id: Uuid.make(noon),
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
    visitor_id: "v-1",
    session_id: "s-1",
    user_id: null,
    ip_address: "203.0.113.9",
    user_agent: "Mozilla/5.0",
    device_type: "desktop",
    occurred_at: received_at,
    received_at,
    client_occurred_at: new Date(noon - 3_600_000),
    ...fields
  }
  return { event, quarantined: null }
}

export const spooledClicks = (count: number): ReadonlyArray<SpooledClick> =>
  Array.from({ length: count }, () => spooledClick())

export const append = (clicks: ReadonlyArray<SpooledClick>) => Spool.use((spool) => spool.append(clicks))
export const discard = (segment: string) => Spool.use((spool) => spool.discard(segment))
export const status = Spool.use((spool) => spool.status)

/** All batches of waiting clicks. */
export const batches = (batchSize: number) =>
  Spool.use((spool) => Stream.runCollect(spool.waiting(batchSize)))

/** All waiting clicks, in order. */
export const waitingClicks = Effect.map(batches(500), (read) => read.flatMap(({ clicks }) => clicks))

/** Discards the first `count` segments, and returns the clicks that were in them. */
export const takeOut = (count = Number.POSITIVE_INFINITY) =>
  Effect.gen(function* () {
    const read = yield* batches(500)
    const ends = read.filter(({ isLast }) => isLast).slice(0, count)
    for (const { segment } of ends) yield* discard(segment)
    const gone = new Set(ends.map(({ segment }) => segment))
    return read.filter(({ segment }) => gone.has(segment)).flatMap(({ clicks }) => clicks)
  })
