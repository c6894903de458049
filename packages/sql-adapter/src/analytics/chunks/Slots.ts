import type { CountRequest } from "@clicks/core/analytics/ClickCounts"
import { type Axis, isTimeAxis, slotOf } from "@clicks/core/analytics/Interval"
import type { Chunk } from "./Chunk.ts"
import { movesOf, offsetsOf } from "./clocks.ts"
import { PairIndex } from "./PairIndex.ts"

const hour = 3_600_000

/**
 * The slots of an axis, numbered. All clicks of one local hour (or date, for longer intervals) lie in one slot, so the calendar is asked
 * once for each.
 */
export class Slots {
  readonly #axis: Axis
  readonly #request: CountRequest
  readonly #unit: number
  readonly #units = new PairIndex()
  readonly #slotOfUnit: Array<number> = []
  readonly #numbers = new Map<number, number>()
  /** The slots by their numbers (`slotOf` in core). */
  readonly values: Array<number> = []

  constructor(axis: Axis, request: CountRequest) {
    this.#axis = axis
    this.#request = request
    this.#unit = axis.interval === "hour" || axis.interval === "hour-of-week" ? hour : 24 * hour
  }

  /** What gives the number of the slot of an instant of a chunk, or between two others. */
  of({ high, low }: Pick<Chunk, "high" | "low">, isPrevious: boolean): (instant: number) => number {
    const { earlier, filter } = this.#request
    if (!isPrevious || earlier === undefined || !isTimeAxis(this.#axis)) return this.#within(low, high)
    const first = filter.from?.getTime() ?? Number.NEGATIVE_INFINITY
    const last = filter.to?.getTime() ?? Number.POSITIVE_INFINITY
    const moves = movesOf(low, high, earlier)
    const move = (instant: number) => Math.max(first, Math.min(last, instant + moves.at(instant)))
    const spread = 48 * hour
    const numberAt = this.#within(
      Math.max(first, Math.min(last, low + earlier.shift - spread)),
      Math.max(first, Math.min(last, high + earlier.shift + spread))
    )
    return (instant) => numberAt(move(instant))
  }

  #within(low: number, high: number): (instant: number) => number {
    const offsets = offsetsOf(low, high, this.#axis.timeZone)
    const unit = this.#unit
    // An hour that the clocks show twice is two buckets.
    const isHour = this.#axis.interval === "hour"
    let [lastLocal, lastOffset, lastNumber] = [Number.NaN, 0, 0]
    return (instant) => {
      const offset = offsets.at(instant)
      const local = Math.floor((instant + offset) / unit)
      if (local === lastLocal && offset === lastOffset) return lastNumber
      const known = this.#units.add(local, isHour ? offset / 1000 : 0)
      if (known === this.#slotOfUnit.length) this.#slotOfUnit.push(this.#numberOf(instant))
      lastLocal = local
      lastOffset = offset
      lastNumber = this.#slotOfUnit[known] ?? 0
      return lastNumber
    }
  }

  #numberOf(instant: number): number {
    const value = slotOf(new Date(instant), this.#axis)
    const known = this.#numbers.get(value)
    if (known !== undefined) return known
    this.#numbers.set(value, this.values.length)
    return this.values.push(value) - 1
  }
}
