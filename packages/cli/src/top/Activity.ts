import type { ClickAction, ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { actions } from "@clicks/core/clicks/ClickFilter"

const rankedFields = ["product_id", "campaign_id"] as const
export type RankedField = (typeof rankedFields)[number]

// More clicks than a screen has lines.
const feedLength = 200

// Most values that are counted. Senders choose the values, so there may be more; then the rarest are forgotten.
const maxValues = 10_000
const keptValues = 1_000

/** Seconds that rates are kept for. */
export const window = 60

const ranked = (counts: ReadonlyMap<string, number>) => [...counts].toSorted(([, a], [, b]) => b - a)

/** The rate, the rankings and the last of the clicks that were passed to `add`. */
export class Activity {
  readonly startedAt: number
  readonly #bySecond = new Map<number, number>()
  readonly #byAction = new Map<ClickAction, number>()
  readonly #byField = { product_id: new Map<string, number>(), campaign_id: new Map<string, number>() }
  #feed: ReadonlyArray<ClickEvent> = []
  #total = 0

  constructor(now: number) {
    this.startedAt = now
  }

  get total(): number {
    return this.#total
  }

  /** The last clicks, newest first. */
  get feed(): ReadonlyArray<ClickEvent> {
    return this.#feed
  }

  add(clicks: ReadonlyArray<ClickEvent>, now: number): void {
    const second = Math.floor(now / 1000)
    this.#total += clicks.length
    this.#bySecond.set(second, (this.#bySecond.get(second) ?? 0) + clicks.length)
    for (const past of this.#bySecond.keys()) if (past <= second - window) this.#bySecond.delete(past)
    for (const click of clicks) this.#count(click)
    this.#feed = [...clicks.toReversed(), ...this.#feed].slice(0, feedLength)
  }

  #count(click: ClickEvent): void {
    this.#byAction.set(click.action, (this.#byAction.get(click.action) ?? 0) + 1)
    for (const field of rankedFields) {
      const value = click[field]
      if (value === null) continue
      const counts = this.#byField[field]
      counts.set(value, (counts.get(value) ?? 0) + 1)
      if (counts.size > maxValues) this.#byField[field] = new Map(ranked(counts).slice(0, keptValues))
    }
  }

  /** Clicks in each of the last `window` whole seconds, oldest first. */
  perSecond(now: number): ReadonlyArray<number> {
    const second = Math.floor(now / 1000)
    return Array.from({ length: window }, (_, index) => this.#bySecond.get(second - window + index) ?? 0)
  }

  byAction(): ReadonlyArray<readonly [ClickAction, number]> {
    return actions.map((action) => [action, this.#byAction.get(action) ?? 0])
  }

  /** The values with the most clicks, and their clicks. */
  ranking(field: RankedField): ReadonlyArray<readonly [string, number]> {
    return ranked(this.#byField[field])
  }
}
