import { Schema } from "effect"

/** A time in JSON: ISO 8601 in UTC with milliseconds. */
export const instant = (description: string) =>
  Schema.DateFromString.pipe(
    Schema.annotateEncoded({ description, format: "date-time", examples: ["2026-11-20T10:00:00.000Z"] })
  )

const iso =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i

// The format that this service and most others write, on a day that exists in every month. The runtime parses it in a third of the time.
const usual = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

const offsetMinutes = (zone: string): number => {
  if (zone === "" || zone.toUpperCase() === "Z") return 0
  const digits = zone.slice(1).replace(":", "")
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || "0")
  return zone.startsWith("-") ? -minutes : minutes
}

const inRange = (instant: Date): Date | undefined => {
  const year = instant.getUTCFullYear()
  return year >= 1 && year <= 9999 ? instant : undefined
}

/**
 * Parses an ISO 8601 date or date-time; undefined if the text is neither.
 *
 * Without an offset, it is in UTC; a bare date means its first instant. Digits beyond the millisecond are cut off. Years are 0001 to 9999,
 * the range that all databases and JSON readers support.
 */
export const parseInstant = (text: string): Date | undefined => {
  if (usual.test(text)) return new Date(text)
  const match = iso.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second = "00", fraction = "", zone = ""] = match
  if (year === "0000" || (zone !== "" && hour === undefined)) return undefined
  const shown = `${year}-${month}-${day}T${hour ?? "00"}:${minute ?? "00"}:${second}`
  const asUtc = new Date(`${shown}.${fraction.padEnd(3, "0").slice(0, 3)}Z`)
  // The runtime takes the 31st of a shorter month, and hour 24, for times of the next day.
  if (Number.isNaN(asUtc.getTime()) || !asUtc.toISOString().startsWith(shown)) return undefined
  const offset = offsetMinutes(zone)
  return Math.abs(offset) > 15 * 60 + 59 ? undefined : inRange(new Date(asUtc.getTime() - offset * 60_000))
}

/** The instant `millis` milliseconds later; undefined if it is out of range. */
export const plusMillis = (instant: Date, millis: number): Date | undefined =>
  inRange(new Date(instant.getTime() + millis))
