import { type EarlierPeriod, moveLater } from "@clicks/core/analytics/Comparison"
import { offsetAt, type TimeZone, utc } from "@clicks/core/values/TimeZone"

const hour = 3_600_000

// No zone has ever changed its clocks twice within this time.
const step = 16 * hour

/** A number to add to instants. It changes at certain instants. */
export class Steps {
  readonly #starts: ReadonlyArray<number>
  readonly #values: ReadonlyArray<number>
  #current = 0

  /** The starts must be in order; each value applies from its start to the next. */
  constructor(starts: ReadonlyArray<number>, valueAt: (start: number) => number) {
    this.#starts = starts
    this.#values = starts.map(valueAt)
  }

  get starts(): ReadonlyArray<number> {
    return this.#starts
  }

  get values(): ReadonlyArray<number> {
    return this.#values
  }

  at(instant: number): number {
    const starts = this.#starts
    let current = this.#current
    while (current > 0 && instant < (starts[current] ?? 0)) current--
    while (current + 1 < starts.length && instant >= (starts[current + 1] ?? 0)) current++
    this.#current = current
    return this.#values[current] ?? 0
  }
}

// About five days: the changes of the clocks within a block are computed together.
const block = 8 * step

/** Steps without a last instant, computed block by block on demand: with wrong times, clicks can be ten thousand years apart. */
export class EndlessSteps {
  readonly #stepsOf: (low: number, high: number) => Steps
  readonly #blocks = new Map<number, Steps>()
  #low = Number.POSITIVE_INFINITY
  #steps = new Steps([], () => 0)

  /** `stepsOf` computes the steps between two instants. */
  constructor(stepsOf: (low: number, high: number) => Steps) {
    this.#stepsOf = stepsOf
  }

  at(instant: number): number {
    if (!(instant >= this.#low && instant < this.#low + block)) this.#open(Math.floor(instant / block))
    return this.#steps.at(instant)
  }

  /** Whether the number may change after `low` and up to `high`, which lie in one block. */
  changes(low: number, high: number): boolean {
    this.at(low)
    return this.#steps.starts.some((start) => start > low && start <= high)
  }

  #open(number: number): void {
    this.#low = number * block
    const steps = this.#blocks.get(number) ?? this.#stepsOf(this.#low, this.#low + block)
    this.#blocks.set(number, steps)
    this.#steps = steps
  }
}

/** The first instant after `low` whose offset differs from that of `low`. The offset of `high` must differ too. */
const changeBetween = (low: number, high: number, timeZone: TimeZone): number => {
  const before = offsetAt(low, timeZone)
  let [known, change] = [low, high]
  while (change - known > 1) {
    const middle = Math.floor((known + change) / 2)
    if (offsetAt(middle, timeZone) === before) known = middle
    else change = middle
  }
  return change
}

/** The offset of a zone's clocks from UTC, between two instants. */
export const offsetsOf = (low: number, high: number, timeZone: TimeZone): Steps => {
  const starts = [low]
  if (timeZone !== utc)
    for (let at = low; at < high; at += step) {
      const next = Math.min(at + step, high)
      if (offsetAt(at, timeZone) !== offsetAt(next, timeZone)) starts.push(changeBetween(at, next, timeZone))
    }
  return new Steps(starts, (start) => offsetAt(start, timeZone))
}

/**
 * By how much the clicks of an earlier period are moved to be compared (`moveLater` in core, which also keeps them inside the range). The
 * number changes where the clocks change in the earlier period, and where the moved local time reaches a change of the clocks in the range.
 */
export const movesOf = (low: number, high: number, earlier: EarlierPeriod): Steps => {
  const { shift, timeZone } = earlier
  const offsets = offsetsOf(low, high, timeZone)
  const later = offsetsOf(low + shift - 3 * step, high + shift + 3 * step, timeZone)
  const edges = later.starts
    .slice(1)
    .flatMap((change, index) =>
      later.values
        .slice(index, index + 2)
        .flatMap((offset) => offsets.values.map((before) => change + offset - shift - before))
    )
  const starts = [...offsets.starts, ...edges.filter((edge) => edge > low && edge <= high)]
  return new Steps(
    Array.from(new Set(starts)).sort((a, b) => a - b),
    (start) => moveLater(new Date(start), earlier, {}).getTime() - start
  )
}
