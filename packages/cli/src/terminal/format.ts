import { offsetAt, type TimeZone, utc } from "@clicks/core/values/TimeZone"

/** A count with thousands separators: 165,474. */
export const grouped = (count: number): string => count.toLocaleString("en-US")

/** A count with its noun: 1 row, 2 rows. */
export const countOf = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`

const withoutZone = (instant: Date): string => instant.toISOString().slice(0, 19).replace("T", " ")

/** An offset from UTC in milliseconds: +01:00. */
export const offsetText = (offset: number): string => {
  const [hours, minutes] = withoutZone(new Date(Math.abs(offset)))
    .slice(11)
    .split(":")
  return `${offset < 0 ? "-" : "+"}${hours}:${minutes}`
}

/** An instant to the second: 2026-11-20 10:00:00Z or, in another time zone, 2026-11-20 11:00:00+01:00. */
export const toSecond = (instant: Date, timeZone: TimeZone = utc): string => {
  if (timeZone === utc) return `${withoutZone(instant)}Z`
  // Offsets of the 19th century have seconds, which ISO 8601 cannot express.
  const offset = Math.trunc(offsetAt(instant.getTime(), timeZone) / 60_000) * 60_000
  return `${withoutZone(new Date(instant.getTime() + offset))}${offsetText(offset)}`
}

/** An instant in UTC, to the minute: 2026-11-20 10:00Z. */
export const toMinute = (instant: Date): string => `${toSecond(instant).slice(0, 16)}Z`

const halfYear = 182 * 24 * 60 * 60 * 1000

/** A short instant in UTC: 11-20 10:00Z, or 2027-11-20 if that is more than half a year from `now`. */
export const toShort = (instant: Date, now: Date): string =>
  Math.abs(instant.getTime() - now.getTime()) < halfYear
    ? toMinute(instant).slice(5)
    : instant.toISOString().slice(0, 10)
