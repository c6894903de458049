import { type EarlierPeriod, moveLater } from "@clicks/core/analytics/Comparison"
import {
  type Axis,
  bucketsOf,
  hoursOfWeek,
  isTimeAxis,
  slotOf,
  type TimeAxis
} from "@clicks/core/analytics/Interval"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { instantAt, offsetAt, type TimeZone, utc } from "@clicks/core/values/TimeZone"
import { day, hour, origin, type Span } from "../clicks/instants.ts"
import { numberArray } from "../sqlText.ts"

/**
 * A function of time that is constant between the given instants. ClickHouse has no time zones before 1900, and its calendar might differ
 * from this runtime's, so it looks times up in lists that core computes.
 */
interface Steps {
  /** In ascending order. Instants before the first have its value. */
  readonly starts: ReadonlyArray<number>
  readonly values: ReadonlyArray<number>
}

/** Slots of a time axis, as SQL. */
export interface Slots {
  /** The slot of an instant, given as a column or another expression. */
  readonly slot: (at: string) => string
  /** Whether, in each unit of this width that begins at a multiple of it, all instants have the same slot. */
  readonly isConstantIn: (width: number) => boolean
}

const isMultiple = (width: number) => (start: number) => (start + origin) % width === 0

const lookUp = ({ starts, values }: Steps, at: string): string => {
  const found = `roundDown(${at}, ${numberArray(starts)})`
  return starts.every((start, index) => start === values[index])
    ? found
    : `transform(${found}, ${numberArray(starts)}, ${numberArray(values)}, toInt64(0))`
}

const toSteps = (instants: Iterable<number>, valueAt: (instant: number) => number): Steps => {
  const starts = Array.from(new Set(instants)).sort((a, b) => a - b)
  const values = starts.map(valueAt)
  const isChange = (index: number) => index === 0 || values[index] !== values[index - 1]
  return {
    starts: starts.filter((_, index) => isChange(index)),
    values: values.filter((_, index) => isChange(index))
  }
}

/** Groups consecutive days into spans. The days are numbered from the origin, in ascending order. */
const runsOf = (days: ReadonlyArray<number>): ReadonlyArray<Span> => {
  const firsts = days.filter((one, index) => index === 0 || days[index - 1] !== one - 1)
  const lasts = days.filter((one, index) => days[index + 1] !== one + 1)
  return firsts.map((first, index) => ({
    from: first * day - origin,
    to: ((lasts[index] ?? first) + 1) * day - origin - 1
  }))
}

/** The first instant after `low` and up to `high` with another offset than `low`. */
const changeBetween = (low: number, high: number, timeZone: TimeZone): number => {
  const before = offsetAt(low, timeZone)
  let [from, to] = [low, high]
  while (to - from > 1) {
    const middle = Math.floor((from + to) / 2)
    if (offsetAt(middle, timeZone) === before) from = middle
    else to = middle
  }
  return to
}

// Changes of a zone's offset are weeks apart, except for a few that were reverted within days.
const offsetChanges = (runs: ReadonlyArray<Span>, timeZone: TimeZone): ReadonlyArray<number> =>
  runs.flatMap(({ from, to }) => {
    const marks = Array.from(
      { length: Math.ceil((to + 1 - from) / day) + 1 },
      (_, index) => from + index * day
    )
    const offsets = marks.map((mark) => offsetAt(mark, timeZone))
    return marks.flatMap((mark, index) => {
      const next = marks[index + 1]
      return next === undefined || offsets[index] === offsets[index + 1]
        ? []
        : [changeBetween(mark, next, timeZone)]
    })
  })

const widths = { hour, day, week: 7 * day }

/** The slots of hours, days and weeks in UTC, which do not depend on the days with clicks; undefined for other axes. */
export const evenSlots = (axis: Axis): Slots | undefined => {
  if (!isTimeAxis(axis) || axis.timeZone !== utc || axis.interval === "month") return undefined
  // Year 1 began on a Monday.
  const width = widths[axis.interval]
  return {
    slot: (at) => `intDiv(${at} + ${origin}, ${width}) * ${width} - ${origin}`,
    isConstantIn: (unit) => width % unit === 0
  }
}

/** The differences by which the offset changes, with either sign. */
const jumpsAt = (changes: ReadonlyArray<number>, timeZone: TimeZone): ReadonlySet<number> =>
  new Set(
    changes.flatMap((change) => {
      const jump = offsetAt(change, timeZone) - offsetAt(change - 1, timeZone)
      return [jump, -jump]
    })
  )

const moveBy = (instants: ReadonlyArray<number>, jumps: ReadonlySet<number>): ReadonlyArray<number> =>
  instants.flatMap((instant) => Array.from(jumps, (jump) => instant + jump))

const bucketStarts = (runs: ReadonlyArray<Span>, axis: TimeAxis): ReadonlyArray<number> =>
  runs.flatMap(
    ({ from, to }) =>
      bucketsOf({ from: new Date(from), to: new Date(to) }, [], axis, Number.POSITIVE_INFINITY) ?? []
  )

const slotsOf = (steps: Steps): Slots => ({
  slot: (at) => lookUp(steps, at),
  isConstantIn: (width) => steps.starts.slice(1).every(isMultiple(width))
})

const hoursOfWeekOf = (runs: ReadonlyArray<Span>, timeZone: TimeZone): Slots => {
  const changes = [...runs.map(({ from }) => from), ...offsetChanges(runs, timeZone)]
  const steps = toSteps(changes, (instant) => offsetAt(instant, timeZone))
  // Year 1 began on a Monday. The offset is less than a week.
  const week = hoursOfWeek * hour
  return {
    slot: (at) => `intDiv(${at} + ${origin + week} + ${lookUp(steps, at)}, ${hour}) % ${hoursOfWeek}`,
    isConstantIn: (width) =>
      width === hour && [...steps.starts.slice(1), ...steps.values].every(isMultiple(hour))
  }
}

/**
 * The slots of the clicks of an earlier period, which are the slots of the range with which they are compared. A slot can only change where a
 * bucket of the range begins, or where the offset of the time zone changes in either period.
 */
const movedSlots = (
  runs: ReadonlyArray<Span>,
  axis: TimeAxis,
  earlier: EarlierPeriod,
  filter: ClickFilter
): Slots => {
  const { shift, timeZone } = earlier
  const period = { from: earlier.from.getTime(), to: earlier.to.getTime() }
  const moved = (instant: number) => moveLater(new Date(instant), earlier, filter)
  const localAt = (instant: number) => instant + offsetAt(instant, timeZone)
  const own = runs.map(({ from, to }) => ({ from: Math.max(from, period.from), to: Math.min(to, period.to) }))
  const later = own.map(({ from, to }) => ({ from: Number(moved(from)) - day, to: Number(moved(to)) + day }))
  const widened = own.map(({ from, to }) => ({ from: from - day, to: to + day }))
  const changes = offsetChanges(widened, timeZone)
  const laterChanges = offsetChanges(later, timeZone)
  const earlierAt = (local: number) => instantAt(local - shift, timeZone)
  // Local times that the range skips move later. Borders at local times that the earlier period repeats occur twice.
  const near = [...changes, ...laterChanges.map((change) => earlierAt(localAt(change)))]
  const isNear = (instant: number) => near.some((change) => Math.abs(instant - change) < 3 * day)
  const jumps = jumpsAt([...changes, ...laterChanges], timeZone)
  const borders = [...bucketStarts(later, axis), ...laterChanges]
    .flatMap((border) => [localAt(border), localAt(border - 1) + 1])
    .map(earlierAt)
  const again = moveBy(borders.filter(isNear), jumps)
  const candidates = [...own.map(({ from }) => from), ...changes, ...borders, ...again]
  const inside = candidates.filter((instant) => instant >= period.from && instant <= period.to)
  return slotsOf(toSteps([period.from, ...inside], (instant) => slotOf(moved(instant), axis)))
}

/**
 * The slots of a time axis. If clocks go back past midnight (St John's in 2010), a day is interrupted, so every possible border near a
 * change is examined.
 */
const timeSlots = (runs: ReadonlyArray<Span>, axis: TimeAxis): Slots => {
  const starts = bucketStarts(runs, axis)
  const changes = offsetChanges(runs, axis.timeZone)
  const isNear = (instant: number) => changes.some((change) => Math.abs(instant - change) < 2 * day)
  const again = moveBy(starts.filter(isNear), jumpsAt(changes, axis.timeZone))
  return slotsOf(
    toSteps([...starts, ...changes, ...again.filter(isNear)], (instant) =>
      isNear(instant) ? slotOf(new Date(instant), axis) : instant
    )
  )
}

/** The slots of the clicks that occurred on these days, which are numbered from the origin and in ascending order. */
export const currentSlots = (days: ReadonlyArray<number>, axis: Axis): Slots => {
  const runs = runsOf(days.length === 0 ? [0] : days)
  return isTimeAxis(axis) ? timeSlots(runs, axis) : hoursOfWeekOf(runs, axis.timeZone)
}

/** The slots of the clicks of the earlier period that occurred on these days. */
export const earlierSlots = (
  days: ReadonlyArray<number>,
  axis: Axis,
  earlier: EarlierPeriod,
  filter: ClickFilter
): Slots =>
  isTimeAxis(axis)
    ? movedSlots(runsOf(days), axis, earlier, filter)
    : hoursOfWeekOf(runsOf(days.length === 0 ? [0] : days), axis.timeZone)
