import { actions } from "@clicks/core/clicks/ClickFilter"

/** A click as it is sent, with every field that a front end may send. */
export type SentClick = Readonly<Record<string, string | number>>

const cities = ["Phoenix", "Zürich", "東京", "São Paulo 🛒", 'O\'Fallon "West" \\ 1']
const devices = [
  ["desktop", "Mozilla/5.0 (X11; Linux x86_64)"],
  ["mobile", "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)"],
  ["tablet", "Mozilla/5.0 (iPad; CPU OS 18_0)"]
] as const

const start = Date.UTC(2026, 0, 1)

/**
 * The click with a number. All fields are derived from the number, so a witness of a million clicks need not remember them. Some
 * clicks omit fields, which are stored as null.
 */
export const clickOf = (number: number, productId: string): SentClick => ({
  product_id: productId,
  action: actions[number % actions.length] ?? "view",
  source: `faults-${number % 11}`,
  occurred_at: new Date(start + number * 37).toISOString(),
  ...(number % 3 !== 0 && { store_id: `s-${number % 97}`, brand_id: `b-${number % 13}` }),
  ...(number % 4 !== 0 && { campaign_id: `campaign-${number % 29}`, page_type: "category" }),
  ...(number % 5 !== 0 && {
    dispensary_name: `Leaf & Sons № ${number % 7}`,
    url_path: `/p/${number}?a=%20b`
  }),
  ...(number % 6 !== 0 && { visitor_id: `v-${number % 101}`, session_id: `visit ${number % 211}` }),
  ...(number % 7 !== 0 && {
    visitor_city: cities[number % cities.length] ?? "",
    visitor_state: "AZ",
    visitor_lat: (number % 180_000) / 1000 - 90.0005,
    visitor_lng: (number % 360_000) / 1000 - 180.0005
  })
})

/** The user agent of the request whose first click has this number; no two requests have the same. */
export const userAgentOf = (first: number): string => `${devices[first % 3]?.[1]} request/${first}`

/** The expected row of the click, including null fields and fields that the service derives from the request. */
export const rowOf = (
  number: number,
  productId: string,
  first: number
): Readonly<Record<string, string | number | null>> => ({
  event_type: "product_click",
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
  ip_address: "127.0.0.1",
  user_agent: userAgentOf(first),
  device_type: devices[first % 3]?.[0] ?? "desktop",
  ...clickOf(number, productId)
})
