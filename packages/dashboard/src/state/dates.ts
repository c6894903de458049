import type { Range } from "./range.ts"

const formats: Readonly<Record<Range["interval"], Intl.DateTimeFormatOptions>> = {
  hour: { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  day: { weekday: "short", day: "numeric", month: "short" },
  week: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "long", year: "numeric" }
}

const written =
  (options: Intl.DateTimeFormatOptions) =>
  (instant: string, timeZone: string): string =>
    new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(new Date(instant))

/** The name of a bucket in a sentence. */
export const bucketName = (bucket: string, interval: Range["interval"], timeZone: string): string => {
  const name = written(formats[interval])(bucket, timeZone)
  return interval === "week" ? `Week of ${name}` : name
}

/** A time of day with seconds. */
export const timeOfDay = written({ timeStyle: "medium" })

/** A date. */
export const dayName = written({ dateStyle: "medium" })

/** A date and time. */
export const dateTime = written({ dateStyle: "medium", timeStyle: "short" })

/** A date without a time. */
const dateName = (date: string): string => dayName(date, "UTC")

/** The days of a range. */
export const daysName = (from: string, last: string): string =>
  from === last ? dateName(from) : `${dateName(from)} – ${dateName(last)}`

export const weekdays = [
  "Monday",
  "Tuesday",
  "Wednesday",
  "Thursday",
  "Friday",
  "Saturday",
  "Sunday"
] as const
