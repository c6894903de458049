import { parseBounds } from "@clicks/core/clicks/TimeRange"
import { offsetAt, parseTimeZone, type TimeZone, utc } from "@clicks/core/values/TimeZone"
import { Result } from "effect"
import { aboutOption } from "../CommandError.ts"
import { visibleText } from "../terminal/visibleText.ts"

/** The times as typed. */
export interface TimeOptions {
  readonly from?: string
  readonly to?: string
  readonly before?: string
  readonly tz?: string
}

const day = 86_400_000

const dateBefore = (now: Date, days: number, timeZone: TimeZone): string =>
  new Date(now.getTime() + offsetAt(now.getTime(), timeZone) - days * day).toISOString().slice(0, 10)

/** The date of a word or a month; other texts unchanged. */
const asIso = (text: string, now: Date, timeZone: TimeZone): string => {
  if (text === "today") return dateBefore(now, 0, timeZone)
  if (text === "yesterday") return dateBefore(now, 1, timeZone)
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? []
  if (days !== undefined) return dateBefore(now, Number(days), timeZone)
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text) ? `${text}-01` : text
}

interface Bounds {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly before?: Date | undefined
}

interface ReadTimes {
  /** The times as the HTTP API takes them. */
  readonly texts: TimeOptions
  readonly bounds: Bounds
  readonly error?: string | undefined
  readonly hint?: string | undefined
}

const emptyRange = (options: TimeOptions, { before, from, to }: Bounds): string | undefined => {
  if (from !== undefined && to !== undefined && from > to)
    return `--from ${options.from} is after --to ${options.to}`
  return from !== undefined && before !== undefined && from >= before
    ? `--from ${options.from} must be earlier than --before ${options.before}`
    : undefined
}

const hasTime = /[T ]\d/

/** Explains a range of one instant that was probably meant as a day or a month. */
const hintOf = ({ to: text = "" }: TimeOptions, { from, to }: Bounds): string | undefined =>
  to !== undefined && to.getTime() === from?.getTime() && !hasTime.test(text)
    ? `--to ${text} means its first instant, ${to.toISOString()}; for a whole day or month, give its end with --before`
    : undefined

/** The time zone of `--tz`, which `readTimeOptions` has validated. */
export const timeZoneOf = ({ tz = utc }: TimeOptions): TimeZone => parseTimeZone(tz) ?? utc

/**
 * Reads the times of a command line in its time zone: ISO 8601, a month, `today`, `yesterday`, and `7d`, the date 7 days ago. Dates
 * and months are their first instants.
 */
export const readTimeOptions = (options: TimeOptions, now: Date): ReadTimes => {
  const texts: { -readonly [name in keyof TimeOptions]: string } = {}
  for (const name of ["from", "to", "before"] as const) {
    const text = options[name]
    if (text !== undefined) texts[name] = asIso(text, now, timeZoneOf(options))
  }
  const read = parseBounds({ ...options, ...texts })
  if (Result.isSuccess(read)) {
    const bounds = read.success
    return { texts, bounds, error: emptyRange(options, bounds), hint: hintOf(options, bounds) }
  }
  const { message } = read.failure
  const others = message.startsWith("tz") ? "" : ". Also valid: 2026-11, today, yesterday, 7d"
  return { texts, bounds: {}, error: visibleText(aboutOption(message) + others) }
}
