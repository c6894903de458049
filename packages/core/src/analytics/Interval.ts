import { Schema } from "effect"
import { instantAt, offsetAt, type TimeZone } from "../values/TimeZone.ts"

/** What a time axis is cut into. */
export const Interval = Schema.Literals(["hour", "day", "week", "month"])
export type Interval = typeof Interval.Type

/** A time axis: the clocks and the calendar of a time zone, cut into intervals. */
export interface TimeAxis {
  readonly interval: Interval
  readonly timeZone: TimeZone
}

const hour = 3_600_000
const day = 24 * hour

// Below, local times are milliseconds too: those of the instant at which UTC shows what the zone's clock shows.

const startOfLocalDate = (local: number, interval: "day" | "week" | "month"): number => {
  const date = new Date(Math.floor(local / day) * day)
  if (interval === "week") date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  if (interval === "month") date.setUTCDate(1)
  return date.getTime()
}

/**
 * The start of the bucket that an instant falls into.
 *
 * - `day`, `week`, `month`: the first instant of the local date, of its Monday (ISO 8601), of its month. Around a change of
 *   the clock a day has 23 or 25 hours; where the clock skips midnight, the day begins with the change.
 * - `hour`: the instant less the minutes that the zone's clock shows past the hour. Of the hour that a clock shows twice,
 *   each time is a bucket of its own. After a change by half an hour (Lord Howe), hours begin at another minute of UTC.
 */
export const bucketStart = (instant: Date, { interval, timeZone }: TimeAxis): Date => {
  const offset = offsetAt(instant.getTime(), timeZone)
  const local = instant.getTime() + offset
  return new Date(
    interval === "hour"
      ? Math.floor(local / hour) * hour - offset
      : instantAt(startOfLocalDate(local, interval), timeZone)
  )
}
