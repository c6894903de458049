import type { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { actions, type ClickFilter, equalityFields } from "@clicks/core/clicks/ClickFilter"
import type { ClickQuery } from "@clicks/core/clicks/ClickQuery"
import type { IdRange } from "@clicks/core/clicks/tiers/Cut"
import type { Effect } from "effect"
import { plainClick } from "../plainClick.ts"
import type { Fate } from "./flakyTiers.ts"

const hour = 3_600_000
const operations = ["ping", "check", "write", "late", "complete", "abandon"] as const

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
const randomNumbers = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Ask = (analytics: ClickAnalytics["Service"]) => Effect.Effect<unknown, { readonly reason: string }>

/** The operations of random steps, and the clicks that must exist. */
export const makeWorld = (seed: number) => {
  const random = randomNumbers(seed)
  const below = (count: number) => Math.floor(random() * count)
  const chance = (probability: number) => random() < probability
  const pick = <A>(values: readonly [A, ...ReadonlyArray<A>]): A => values[below(values.length)] ?? values[0]
  const clicks = new Map<string, ClickEvent>()
  const recent = new Set<string>()
  const unrepeatable = new Set<string>()
  let made = 0
  let now = Date.UTC(2024, 0, 1)

  /** Ids of all three kinds: with the current time, with a time long ago, and without a time. */
  const newId = () => {
    const kind = pick(["recent", "old", "derived"])
    const millis = kind === "recent" ? Date.now() : now
    const time = millis.toString(16).padStart(12, "0")
    const rest = (++made).toString(16).padStart(12, "0")
    const id = `${time.slice(0, 8)}-${time.slice(8)}-${kind === "derived" ? 8 : 7}000-8000-${rest}`
    if (kind === "recent") recent.add(id)
    return id
  }

  const newClick = (id: string): ClickEvent => {
    now += below(hour / 10)
    const away = pick([0, 0, below(1000), below(hour), below(48 * hour), -below(hour)])
    return plainClick({
      id,
      product_id: pick(["p-1", "p-1", "p-2", "p-3"]),
      action: pick(actions),
      source: pick(["web", "app"]),
      store_id: pick([null, "s-1", "s-2"]),
      campaign_id: pick([null, null, "c-1"]),
      page_type: pick([null, "category", "search"]),
      user_id: pick([null, "u-1", "u-2", `u-${below(100)}`]),
      // Many clicks share an instant.
      occurred_at: new Date(chance(0.01) ? Date.UTC(9000, 0, 1) : now - (chance(0.2) ? away % 50 : away)),
      received_at: new Date(now)
    })
  }

  /** Some clicks, most of them new. Some are stored already or occur twice, with different values. */
  const newBatch = (length = chance(0.03) ? below(300) : below(10)): ReadonlyArray<ClickEvent> => {
    const ids = Array.from({ length }, newId)
    const known = Array.from(clicks.keys()).filter((id) => !unrepeatable.has(id))
    for (let repeats = chance(0.4) ? below(4) : 0; repeats > 0; repeats--) {
      const id = chance(0.7) ? known[below(known.length)] : ids[below(ids.length)]
      if (id !== undefined) ids.push(id)
    }
    return ids.map(newClick)
  }

  const filter = (): ClickFilter => {
    const bound = () => new Date(now - below(72 * hour))
    return {
      ...(chance(0.3) && { product_id: pick(["p-1", "p-2", "p-9"]) }),
      ...(chance(0.2) && { source: pick(["web", "app"]) }),
      ...(chance(0.1) && { action: pick(actions) }),
      ...(chance(0.1) && { page_type: pick(["category", "search"]) }),
      ...(chance(0.3) && { from: bound() }),
      ...(chance(0.2) && { to: bound() })
    }
  }

  const query = (): ClickQuery => {
    const page = { filter: filter(), limit: pick([1, 5, 20, 100, 150, 1000]) }
    const known = Array.from(clicks.values())
    const after = known[below(known.length)]
    return chance(0.3) && after !== undefined
      ? { ...page, offset: 0, after: { id: after.id, occurred_at: after.occurred_at } }
      : { ...page, offset: pick([0, 0, 3, 50, below(known.length + 1), 1e9]) }
  }

  const question = (): Ask => {
    const axis = { interval: "day", timeZone: "Europe/Berlin" } as const
    // One bucket per day, so no clicks in the year 9000.
    const to = new Date(now + hour)
    const counted = {
      filter: { from: new Date(now - 90 * 24 * hour), to, ...filter() },
      totals: true,
      visitors: true,
      limit: 10
    }
    const ranking = { sort: "total", descending: true, without: [] } as const
    const groupBy = [pick(equalityFields)]
    return pick<Ask>([
      ({ groups }) => groups({ ...counted, groupBy, ranking, pivot: true }),
      ({ funnel }) => funnel({ ...counted, groupBy: "product_id" }),
      ({ visitors }) => visitors({ ...counted, axis }),
      ({ cohorts }) => cohorts({ ...counted, timeZone: "UTC" }),
      ({ pairs }) => pairs({ ...counted, timeZone: "UTC" })
    ])
  }

  const fate = (): Fate => ({
    stopAt: chance(0.5) ? 1 + below(24) : Number.POSITIVE_INFINITY,
    lost: chance(0.3) ? pick(operations) : undefined,
    takesOver: chance(0.6)
  })

  return {
    below,
    chance,
    clicks,
    fate,
    filter,
    newBatch,
    question,
    query,
    /**
     * Simulates that clicks have left the hot store. That takes a day, and no time passes here, so clicks with recent ids are not sent
     * again.
     */
    forgetRecent: () => {
      for (const id of recent) unrepeatable.add(id)
      recent.clear()
    },
    /** A range of ids that no later click has; undefined if there are no such clicks. */
    someIds: (): IdRange | undefined => {
      const time = now.toString(16).padStart(12, "0")
      const present = `${time.slice(0, 8)}-${time.slice(8)}`
      const ids = Array.from(clicks.keys())
        .filter((id) => id < present)
        .sort()
      const start = below(ids.length)
      const [first, last] = [ids[start], ids[Math.min(ids.length - 1, start + below(50))]]
      return first === undefined || last === undefined ? undefined : { first, last }
    },
    /** An instant before the receipt of all later clicks. */
    cutoff: () => new Date(now - 30 * hour - below(24 * hour))
  }
}
