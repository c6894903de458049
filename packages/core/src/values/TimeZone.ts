import { DateTime } from "effect"

/** A time zone by its name in the IANA database, as this runtime spells it (`Asia/Kolkata` may be `Asia/Calcutta`). */
export type TimeZone = string

export const utc: TimeZone = "UTC"

// Runtimes also accept abbreviations, with unexpected meanings: BST is Bangladesh.
const threeLetterNames = new Set("CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET".split(" "))

// Rejects offsets such as +01:00: databases disagree about their sign.
const isName = (text: string): boolean =>
  /^[A-Za-z]/.test(text) && (!/^[A-Za-z]{3}$/.test(text) || threeLetterNames.has(text.toUpperCase()))

/** Parses the name of a time zone, in any case; undefined if there is no such time zone. */
export const parseTimeZone = (name: string): TimeZone | undefined => {
  if (!isName(name)) return undefined
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** The offset of the zone's clocks from UTC at an instant (milliseconds since 1970), in milliseconds; positive if they are ahead. */
export const offsetAt = (millis: number, timeZone: TimeZone): number =>
  timeZone === utc ? 0 : DateTime.zonedOffset(DateTime.makeZonedUnsafe(millis, { timeZone }))

/**
 * The first instant at which the zone's clocks show a local time, given as the instant at which UTC shows it. A local time that the clocks
 * skip is moved forward by the length of the gap.
 */
export const instantAt = (local: number, timeZone: TimeZone): number =>
  DateTime.makeZonedUnsafe(local, { timeZone, adjustForTimeZone: true }).epochMilliseconds
