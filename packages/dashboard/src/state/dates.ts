import type { Range } from "./range.ts"

const formats: Readonly<Record<Range["interval"], Intl.DateTimeFormatOptions>> = {
  hour: { weekday: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  day: { weekday: "short", day: "numeric", month: "short" },
  week: { day: "numeric", month: "short", year: "numeric" },
  month: { month: "long", year: "numeric" }
}

/** The name of a bucket in a sentence. */
export const bucketName = (bucket: string, interval: Range["interval"], timeZone: string): string => {
  const name = new Intl.DateTimeFormat("en-GB", { ...formats[interval], timeZone }).format(new Date(bucket))
  return interval === "week" ? `Week of ${name}` : name
}

/** A time of day with seconds. */
export const timeOfDay = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone }).format(new Date(instant))

/** A date. */
export const dayName = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone }).format(new Date(instant))

/** A date and time. */
export const dateTime = (instant: string, timeZone: string): string =>
  new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone }).format(
    new Date(instant)
  )

const dates = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC"
})

/** A date without a time. */
const dateName = (date: string): string => dates.format(new Date(date))

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
