import { DateTime, Schema } from "effect"
import { offsetAt, type TimeZone } from "../values/TimeZone.ts"

/** What a time axis is cut into. */
export const Interval = Schema.Literals(["hour", "day", "week", "month"])
export type Interval = typeof Interval.Type

/** A time axis: the clocks and the calendar of a time zone, cut into intervals. */
export interface TimeAxis {
  readonly interval: Interval
  readonly timeZone: TimeZone
}

const hour = 3_600_000

/**
 * The start of the bucket that an instant falls into.
 *
 * - `day`, `week`, `month`: the first instant of the local date, of its Monday (ISO 8601), of its month. Around a change of
 *   the clock a day has 23 or 25 hours; where the clock skips midnight, the day begins with the change.
 * - `hour`: the instant less the minutes that the zone's clock shows past the hour. Of the hour that a clock shows twice,
 *   each time is a bucket of its own. After a change by half an hour (Lord Howe), hours begin at another minute of UTC.
 */
export const bucketStart = (instant: Date, { interval, timeZone }: TimeAxis): Date => {
  if (interval === "hour") {
    const offset = offsetAt(instant.getTime(), timeZone)
    return new Date(Math.floor((instant.getTime() + offset) / hour) * hour - offset)
  }
  const start = DateTime.startOf(DateTime.makeZonedUnsafe(instant, { timeZone }), interval, {
    weekStartsOn: 1
  })
  return DateTime.toDateUtc(start)
}
