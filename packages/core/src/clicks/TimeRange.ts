import { Result } from "effect"
import { parseInstant } from "../values/Instant.ts"
import { InvalidInput, invalid, quote } from "../values/InvalidInput.ts"
import { type QueryParameters, single } from "../values/QueryParameters.ts"
import { instantAt, parseTimeZone, type TimeZone, utc } from "../values/TimeZone.ts"
import type { ClickFilter } from "./ClickFilter.ts"

type Parsed<A> = Result.Result<A, InvalidInput>

const withOffset = /[T ]\S*(?:Z|[+-]\d{2}(?::?\d{2})?)$/i

const isInRange = (instant: Date): boolean => {
  const year = instant.getUTCFullYear()
  return year >= 1 && year <= 9999
}

/**
 * Parses an ISO 8601 date or date-time. Without an offset, it is a local time in the time zone. A bare date means its first instant. A
 * local time that occurs twice means the first of the two; one that the clocks skip is moved forward by the length of the gap.
 */
export const parseInstantIn = (text: string, timeZone: TimeZone): Date | undefined => {
  const asUtc = parseInstant(text)
  if (asUtc === undefined || timeZone === utc || withOffset.test(text)) return asUtc
  const instant = new Date(instantAt(asUtc.getTime(), timeZone))
  return isInRange(instant) ? instant : undefined
}

/** Reads `tz`, an IANA time zone name; UTC when it is absent. */
export const parseZone = (parameters: QueryParameters): Parsed<TimeZone> =>
  Result.flatMap(single(parameters, "tz"), (name = utc) =>
    Result.fromNullishOr(
      parseTimeZone(name),
      () =>
        new InvalidInput({
          message: `tz must be the name of a time zone, such as Europe/Berlin or UTC; it is ${quote(name)}`
        })
    )
  )

// In a URL, the + of an offset arrives as a space unless it is written %2B.
const lostPlus = /\d \d{2}:?\d{2}$/

const beyondMillisecond = /[.,]\d{3}\d*[1-9]/

// Stored times are whole milliseconds, so none lies between a truncated time and the next millisecond.
const roundedUp = (instant: Date, text: string): Date => {
  const next = new Date(instant.getTime() + 1)
  return beyondMillisecond.test(text) && isInRange(next) ? next : instant
}

const bound = (
  parameters: QueryParameters,
  name: "from" | "to" | "before",
  timeZone: TimeZone
): Parsed<Date | undefined> =>
  Result.flatMap(single(parameters, name), (text) => {
    if (text === undefined) return Result.succeed(undefined)
    const instant = parseInstantIn(text, timeZone)
    if (instant !== undefined) return Result.succeed(name === "to" ? instant : roundedUp(instant, text))
    const advice = lostPlus.test(text) ? " (write the + of an offset as %2B in a URL)" : ""
    return invalid(
      `${name} must be an ISO 8601 date or date-time, such as 2026-11-20 or 2026-11-20T10:00:00Z; it is ${quote(text)}${advice}`
    )
  })

/** Parses `from`, `to` and `before` in the time zone `tz`. */
export const parseBounds = (parameters: QueryParameters) =>
  Result.flatMap(parseZone(parameters), (timeZone) =>
    Result.all({
      from: bound(parameters, "from", timeZone),
      to: bound(parameters, "to", timeZone),
      before: bound(parameters, "before", timeZone)
    })
  )

/**
 * Parses the bounds of `occurred_at`: `from` and `to` inclusive, `before` exclusive. If both `to` and `before` are given, the earlier one
 * counts.
 */
export const parseTimeRange = (parameters: QueryParameters): Parsed<Pick<ClickFilter, "from" | "to">> =>
  Result.map(parseBounds(parameters), ({ before, from, to: inclusive }) => {
    // The latest time before an instant is a millisecond earlier.
    const last = before && new Date(before.getTime() - 1)
    const to = inclusive && last && last > inclusive ? inclusive : (last ?? inclusive)
    return { ...(from && { from }), ...(to && { to }) }
  })
