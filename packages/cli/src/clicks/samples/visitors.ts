import { type SampleStore, stores } from "./catalogue.ts"
import { drawing, hex, pick, type Random } from "./random.ts"

export interface SampleVisitor {
  readonly id: string
  readonly address: string
  readonly userAgent: string
  /** The store in the visitor's city. */
  readonly store: SampleStore
  readonly lat: number
  readonly lng: number
}

const phones = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Linux; Android 15; SM-S931U) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36"
]
const computers = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15",
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0"
]
const tablets = [
  "Mozilla/5.0 (iPad; CPU OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1"
]

const deviceOf = (mobile: number, random: Random) => {
  if (random() < mobile) return phones
  return random() < 0.12 ? tablets : computers
}

const drawStore = drawing(stores, ({ weight }) => weight)

// Within some 10 km of the store.
const near = (degrees: number, random: Random): number =>
  Math.round((degrees + (random() - 0.5) / 5) * 10_000) / 10_000

/** A new visitor. The address is from the block that is reserved for documentation. */
export const newVisitor = (mobile: number, random: Random): SampleVisitor => {
  const store = drawStore(random)
  return {
    id: hex(random, 12),
    address: `2001:db8:${hex(random, 4)}:${hex(random, 4)}::1`,
    userAgent: pick(deviceOf(mobile, random), random),
    store,
    lat: near(store.lat, random),
    lng: near(store.lng, random)
  }
}
