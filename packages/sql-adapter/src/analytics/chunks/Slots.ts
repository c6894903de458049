import type { CountRequest } from "@clicks/core/analytics/ClickCounts"
import { type Axis, isTimeAxis, slotOf } from "@clicks/core/analytics/Interval"
import { half } from "../../clicks/counting/chunkColumns.ts"
import { type Chunk, codedOf, type Span, timesOf } from "./Chunk.ts"
import { EndlessSteps, movesOf, offsetsOf } from "./clocks.ts"
import { quarter, quartersPerBin } from "./encodeColumn.ts"
import { PairIndex } from "./PairIndex.ts"
import { boundsOf, type Period } from "./selectRows.ts"

const hour = 3_600_000

// With wrong times, clicks can be in a million bins.
const mostBins = 256

type Periods = Pick<CountRequest, "earlier" | "filter">

/**
 * Numbers the slots of an axis. All clicks of a local hour (for longer intervals, of a local date) have the same slot, so it is computed
 * once for each.
 */
export class Slots {
  readonly #axis: Axis
  readonly #request: Periods
  readonly #unit: number
  readonly #units = new PairIndex()
  readonly #slotOfUnit: Array<number> = []
  readonly #numbers = new Map<number, number>()
  readonly #offsets: EndlessSteps
  readonly #moves: EndlessSteps | undefined
  readonly #quarters = new Map<number, Int32Array>()
  readonly #previous = new Map<number, Int32Array>()
  /** The slots by their numbers (`slotOf` in core). */
  readonly values: Array<number> = []

  constructor(axis: Axis, request: Periods) {
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

  /**
   * The column that `write` needs: quarters of an hour if each of them lies entirely in one slot, so that slots are looked up once per
   * quarter.
   */
  columnFor(chunk: Span & { readonly n: number; readonly middle: number }): "at" | "quarter" {
    if (chunk.n < quartersPerBin) return "at"
    const start = chunk.middle - half
    const [first, last] = [chunk.low, chunk.high].map((at) => Math.floor((at - start) / quarter))
    const isWhole = (["current", "previous"] as const).every((period) => {
      const bounds = boundsOf(this.#request, period)
      if (bounds === undefined || bounds.low > chunk.high || bounds.high < chunk.low) return true
      const known = this.#quartersOf(start, period)
      const numberAt = this.of(period)
      for (let place = first as number; place <= (last as number); place++)
        if (this.#lookUp(known, start, place, period, numberAt) < 0) return false
      return true
    })
    return isWhole ? "quarter" : "at"
  }

  /** Writes the slot numbers of the clicks at `rows` of a chunk into `numbers`. */
  write(chunk: Chunk, period: Period, rows: Int32Array, numbers: Int32Array, count: number): void {
    const start = chunk.middle - half
    const known = this.#quartersOf(start, period)
    const numberAt = this.of(period)
    if (chunk.columns["quarter"]) {
      const { codes } = codedOf(chunk, "quarter")
      for (let index = 0; index < count; index++) {
        const place = codes[rows[index] as number] as number
        const number = known[place] as number
        numbers[index] = (number || this.#lookUp(known, start, place, period, numberAt)) - 1
      }
      return
    }
    const at = timesOf(chunk)
    for (let index = 0; index < count; index++) {
      const time = (at[rows[index] as number] as number) + half
      const number = this.#lookUp(known, start, (time / quarter) | 0, period, numberAt)
      numbers[index] = number > 0 ? number - 1 : numberAt(start + time)
    }
  }

  /**
   * For each quarter of an hour of a bin, the number of its slot plus 1; 0 if it is not known yet, -1 if the quarter lies in several slots.
   */
  #quartersOf(start: number, period: Period): Int32Array {
    const quarters = period === "previous" ? this.#previous : this.#quarters
    const known = quarters.get(start)
    if (known !== undefined) return known
    if (quarters.size === mostBins) quarters.clear()
    const made = new Int32Array(quartersPerBin)
    quarters.set(start, made)
    return made
  }

  #lookUp(
    known: Int32Array,
    start: number,
    place: number,
    period: Period,
    numberAt: (instant: number) => number
  ): number {
    if (known[place] === 0) known[place] = this.#slotOfQuarter(start + place * quarter, period, numberAt)
    return known[place] as number
  }

  #slotOfQuarter(low: number, period: Period, numberAt: (instant: number) => number): number {
    const high = low + quarter - 1
    const steps = [this.#offsets, ...(period === "previous" && this.#moves ? [this.#moves] : [])]
    if (steps.some((one) => one.changes(low, high))) return -1
    const number = numberAt(low)
    return number === numberAt(high) ? number + 1 : -1
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
