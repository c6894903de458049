import { parseInstantIn } from "@clicks/core/clicks/TimeRange"
import { offsetAt, parseTimeZone, type TimeZone, utc } from "@clicks/core/values/TimeZone"
import { visibleText } from "../terminal/visibleText.ts"

type TimeOption = "from" | "to" | "before"
type Times = Readonly<Partial<Record<TimeOption, string>>>

/** The times as typed. */
export interface TimeOptions {
  readonly from?: string
  readonly to?: string
  readonly before?: string
  readonly tz?: string
}

const day = 86_400_000
const given = (text = ""): string => visibleText(text.slice(0, 60))

const dateBefore = (now: Date, days: number, timeZone: TimeZone): string =>
  new Date(now.getTime() + offsetAt(now.getTime(), timeZone) - days * day).toISOString().slice(0, 10)

/** The date of a word or a month; other texts unchanged. */
const asIso = (text: string, now: Date, timeZone: TimeZone): string => {
  if (text === "today") return dateBefore(now, 0, timeZone)
  if (text === "yesterday") return dateBefore(now, 1, timeZone)
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? []
  if (days !== undefined) return dateBefore(now, Number(days), timeZone)
  return /^\d{4}-\d{2}$/.test(text) ? `${text}-01` : text
}

const emptyRange = ({ before, from, to }: TimeOptions, times: Times): string | undefined => {
  // Instants of the same length, so they compare as texts.
  if (times.from === undefined) return undefined
  if (times.to !== undefined && times.from > times.to) return `--from ${from} is after --to ${to}`
  if (times.before !== undefined && times.from >= times.before)
    return `--from ${from} must be earlier than --before ${before}`
  return undefined
}

const hasTime = /[T ]\d/

/** Explains a range of one instant that was probably meant as a day or a month. */
const hintOf = ({ to = "" }: TimeOptions, times: Times): string | undefined =>
  times.to !== undefined && times.to === times.from && !hasTime.test(to)
    ? `--to ${to} means its first instant, ${times.to}; for a whole day or month, give its end with --before`
    : undefined

/** The time zone of `--tz`, which `readTimeOptions` has validated. */
export const timeZoneOf = ({ tz = utc }: TimeOptions): TimeZone => parseTimeZone(tz) ?? utc

/**
 * Reads the times of a command line in its time zone: ISO 8601, a month, `today`, `yesterday`, and `7d`, the date 7 days ago. Dates
 * and months are their first instants. Returns instants in ISO 8601, or what is wrong.
 */
export const readTimeOptions = (
  options: TimeOptions,
  now: Date
): { readonly times: Times; readonly error?: string; readonly hint?: string } => {
  const timeZone = parseTimeZone(options.tz ?? utc)
  if (timeZone === undefined)
    return {
      times: {},
      error: `--tz must be the name of a time zone, such as Europe/Berlin or UTC; it is ${given(options.tz)}`
    }
  const times: Partial<Record<TimeOption, string>> = {}
  for (const name of ["from", "to", "before"] as const) {
    const text = options[name]
    if (text === undefined) continue
    const instant = parseInstantIn(asIso(text, now, timeZone), timeZone)
    if (instant === undefined) {
      const error = `--${name} must be a date or time, such as 2026-11-20, 2026-11-20T10:00, 2026-11, today, yesterday or 7d; it is ${given(text)}`
      return { times: {}, error }
    }
    times[name] = instant.toISOString()
  }
  const error = emptyRange(options, times)
  if (error !== undefined) return { times, error }
  const hint = hintOf(options, times)
  return hint === undefined ? { times } : { times, hint }
}
