import { Schema } from "effect"

/** A time on the wire: ISO 8601 in UTC with milliseconds. */
export const instant = (description: string) =>
  Schema.DateFromString.pipe(
    Schema.annotateEncoded({ description, format: "date-time", examples: ["2026-11-20T10:00:00.000Z"] })
  )

const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i

// What this service and most others write, on a day that every month has: the platform reads it in a third of the time.
const usual = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

const offsetMinutes = (zone: string): number => {
  if (zone === "" || zone.toUpperCase() === "Z") return 0
  const digits = zone.slice(1).replace(":", "")
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || "0")
  return zone.startsWith("-") ? -minutes : minutes
}

const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate()

/**
 * The instant that an ISO 8601 date or date-time stands for, or undefined when the text is neither.
 *
 * Without an offset it is read as UTC; a bare date is its first instant. Digits beyond the millisecond are cut off. Years
 * are 0001 to 9999, which every database and JSON reader agrees on.
 */
export const parseInstant = (text: string): Date | undefined => {
  if (usual.test(text)) return new Date(text)
  const match = iso.exec(text)
  if (match === null) return undefined
  const [, y = "", mo = "", d = "", h = "0", mi = "0", s = "0", fraction = "", zone = ""] = match
  const [year, month, day, hour, minute, second] = [y, mo, d, h, mi, s].map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number
  ]
  const offset = offsetMinutes(zone)
  if (zone !== "" && match[4] === undefined) return undefined
  if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 59 || Math.abs(offset) > 15 * 60 + 59) return undefined
  const instant = new Date(0)
  instant.setUTCFullYear(year, month - 1, day)
  instant.setUTCHours(hour, minute - offset, second, Number(fraction.padEnd(3, "0").slice(0, 3)))
  const resolved = instant.getUTCFullYear()
  return resolved < 1 || resolved > 9999 ? undefined : instant
}
