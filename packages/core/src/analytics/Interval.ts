import { DateTime } from "effect"
import { offsetAt, type TimeZone, utc } from "../values/TimeZone.ts"
import type { intervals } from "./analyticsParameters.ts"

/** The unit of a time axis. */
export type Interval = (typeof intervals)[number]

/** A time axis: intervals on the clocks and the calendar of a time zone. */
export interface TimeAxis {
  readonly interval: Interval
  readonly timeZone: TimeZone
}

const hour = 3_600_000

/**
 * The start of the bucket that an instant falls into.
 *
 * - `day`, `week`, `month`: the first instant of the local date, of its Monday (ISO 8601), of its month. Around a change of the clock a day
 *   has 23 or 25 hours; where the clock skips midnight, the day begins with the change.
 * - `hour`: the instant less the minutes that the zone's clock shows past the hour. An hour that the clock shows twice is two buckets.
 *   After a change by half an hour (Lord Howe), hours begin at another minute of UTC.
 */
export const bucketStart = (instant: Date, { interval, timeZone }: TimeAxis): Date => {
  if (interval === "hour") {
    const offset = offsetAt(instant.getTime(), timeZone)
    return new Date(Math.floor((instant.getTime() + offset) / hour) * hour - offset)
  }
  // The calendar of a zone takes ten times as long.
  const local =
    timeZone === utc ? DateTime.makeUnsafe(instant) : DateTime.makeZonedUnsafe(instant, { timeZone })
  return DateTime.toDateUtc(DateTime.startOf(local, interval, { weekStartsOn: 1 }))
}

// The time from the start of a bucket to some instant in the next one: longer than the longest bucket, but shorter than a bucket and the
// shortest next one together (clocks change by up to two hours; Samoa has skipped a day).
const toNext: Readonly<Record<Interval, number>> = {
  hour,
  day: 27 * hour,
  week: (7 * 24 + 12) * hour,
  month: 32 * 24 * hour
}

/** The starts of the buckets from that of `first` to that of `last`, at most `most`. */
const bucketStarts = (first: Date, last: Date, axis: TimeAxis, most: number): Array<Date> => {
  const starts: Array<Date> = []
  let start = bucketStart(first, axis)
  while (start <= last && starts.length < most) {
    starts.push(start)
    start = bucketStart(new Date(start.getTime() + toNext[axis.interval]), axis)
  }
  return starts
}

interface Range {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

/** Whether the range is certainly too long for this number of buckets. False for an open range. */
export const isLonger = ({ from, to }: Range, { interval }: TimeAxis, buckets: number): boolean =>
  from !== undefined && to !== undefined && (to.getTime() - from.getTime()) / toNext[interval] > buckets

/**
 * The starts of all buckets of a range and of those that were found, in order; undefined if there are more than `most`. An open range
 * begins or ends with the first or last bucket that was found.
 */
export const bucketsOf = (
  { from, to }: Range,
  found: ReadonlyArray<number>,
  axis: TimeAxis,
  most: number
): ReadonlyArray<number> | undefined => {
  const inOrder = found.toSorted((a, b) => a - b)
  const earliest = from ?? inOrder[0]
  const latest = to ?? inOrder.at(-1)
  if (earliest === undefined || latest === undefined) return []
  const [first, last] = [new Date(earliest), new Date(latest)]
  if (isLonger({ from: first, to: last }, axis, most)) return undefined
  const starts = bucketStarts(first, last, axis, most + 1)
  const all = Array.from(new Set([...starts.map(Number), ...inOrder])).sort((a, b) => a - b)
  return all.length > most ? undefined : all
}

/** Hours of the week in a time zone: slots 0 (Monday from 0:00) to 167 (Sunday from 23:00). */
export interface HourOfWeek {
  readonly interval: "hour-of-week"
  readonly timeZone: TimeZone
}

export const hoursOfWeek = 168

/** What divides rows in addition to their fields. A slot is the start of a bucket, in milliseconds since 1970, or an hour of the week. */
export type Axis = TimeAxis | HourOfWeek

export const isTimeAxis = (axis: Axis): axis is TimeAxis => axis.interval !== "hour-of-week"

// 1 January 1970 was a Thursday.
const firstMonday = 4 * 24

/** The slot of an instant. */
export const slotOf = (instant: Date, axis: Axis): number => {
  if (isTimeAxis(axis)) return bucketStart(instant, axis).getTime()
  const localHour = Math.floor((instant.getTime() + offsetAt(instant.getTime(), axis.timeZone)) / hour)
  return (((localHour - firstMonday) % hoursOfWeek) + hoursOfWeek) % hoursOfWeek
}
