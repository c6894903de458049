import type { CountRequest } from "@clicks/core/analytics/ClickCounts"
import { type Axis, isTimeAxis, slotOf } from "@clicks/core/analytics/Interval"
import type { Span } from "./Chunk.ts"
import { EndlessSteps, movesOf, offsetsOf } from "./clocks.ts"
import { PairIndex } from "./PairIndex.ts"
import type { Period } from "./selectRows.ts"

const hour = 3_600_000

// A chunk spans up to 4,096 of them.
const quarter = hour / 4

/**
 * Numbers the slots of an axis. All clicks of a local hour (of a local date, for longer intervals) have the same slot, so it is computed once
 * for each.
 */
export class Slots {
  readonly #axis: Axis
  readonly #request: CountRequest
  readonly #unit: number
  readonly #units = new PairIndex()
  readonly #slotOfUnit: Array<number> = []
  readonly #numbers = new Map<number, number>()
  readonly #offsets: EndlessSteps
  readonly #moves: EndlessSteps | undefined
  /** The slots by their numbers (`slotOf` in core). */
  readonly values: Array<number> = []

  constructor(axis: Axis, request: CountRequest) {
    this.#axis = axis
    this.#request = request
    this.#unit = axis.interval === "hour" || axis.interval === "hour-of-week" ? hour : 24 * hour
    this.#offsets = new EndlessSteps((low, high) => offsetsOf(low, high, axis.timeZone))
    const { earlier } = request
    this.#moves = earlier && new EndlessSteps((low, high) => movesOf(low, high, earlier))
  }

  /** Returns a function from an instant to the number of its slot. */
  of(period: Period): (instant: number) => number {
    const { filter } = this.#request
    const moves = this.#moves
    const numberAt = this.#current()
    if (period === "current" || moves === undefined || !isTimeAxis(this.#axis)) return numberAt
    const first = filter.from?.getTime() ?? Number.NEGATIVE_INFINITY
    const last = filter.to?.getTime() ?? Number.POSITIVE_INFINITY
    return (instant) => numberAt(Math.max(first, Math.min(last, instant + moves.at(instant))))
  }

  /** The same for the instants of a chunk, and faster: most quarters of an hour lie in one slot, which is looked up once. */
  within(chunk: Span, period: Period): (instant: number) => number {
    const numberAt = this.of(period)
    const steps = [this.#offsets, ...(period === "previous" && this.#moves ? [this.#moves] : [])]
    const first = Math.floor(chunk.low / quarter)
    // The number of the slot plus 1, 0 before it is known, -1 if there are several.
    const known = new Int32Array(Math.floor(chunk.high / quarter) - first + 1)
    const lookUp = (index: number): number => {
      const [low, high] = [(first + index) * quarter, (first + index + 1) * quarter - 1]
      if (steps.some((one) => one.changes(low, high))) return -1
      const number = numberAt(low)
      return number === numberAt(high) ? number + 1 : -1
    }
    return (instant) => {
      const index = Math.floor(instant / quarter) - first
      if (index < 0 || index >= known.length) return numberAt(instant)
      let number = known[index] as number
      if (number === 0) {
        number = lookUp(index)
        known[index] = number
      }
      return number > 0 ? number - 1 : numberAt(instant)
    }
  }

  #current(): (instant: number) => number {
    const offsets = this.#offsets
    const unit = this.#unit
    // When clocks go back, the repeated hour is two buckets.
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
