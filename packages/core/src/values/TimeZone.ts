/** A time zone by its name in the IANA database, as this runtime spells it (`Asia/Kolkata` may be `Asia/Calcutta`). */
export type TimeZone = string

export const utc: TimeZone = "UTC"

// Runtimes also take abbreviations of their own, and not those one expects: to them BST is Bangladesh.
const threeLetterNames = new Set("CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET".split(" "))

// An offset such as +01:00 is no name, and databases disagree about its sign.
const isName = (text: string): boolean =>
  /^[A-Za-z]/.test(text) && (!/^[A-Za-z]{3}$/.test(text) || threeLetterNames.has(text.toUpperCase()))

/** The time zone that a name stands for, in any case; undefined when there is none of that name. */
export const parseTimeZone = (name: string): TimeZone | undefined => {
  if (!isName(name)) return undefined
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

// Making one takes a hundred times longer than using it.
const formats = new Map<TimeZone, Intl.DateTimeFormat>()

const formatOf = (timeZone: TimeZone): Intl.DateTimeFormat => {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" })
  formats.set(timeZone, format)
  return format
}

/** How far the zone's clocks are ahead of UTC at an instant (milliseconds since 1970), in milliseconds. */
export const offsetAt = (millis: number, timeZone: TimeZone): number => {
  const [, sign, hours, minutes, seconds = "0"] =
    /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(formatOf(timeZone).format(millis)) ?? []
  const size = (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds)) * 1000
  return sign === "-" ? -size : size
}

const day = 86_400_000

/**
 * The first instant at which the zone's clocks show a local time, which is given as the instant at which UTC shows it. A local
 * time that the clocks skip moves on by the length of the gap.
 */
export const instantAt = (local: number, timeZone: TimeZone): number => {
  // A day before and a day after, so that a change of the clock near this time lies between the two.
  const before = local - offsetAt(local - day, timeZone)
  const after = local - offsetAt(local + day, timeZone)
  const shown = [before, after].filter((instant) => instant + offsetAt(instant, timeZone) === local)
  return Math.min(...(shown.length === 0 ? [before] : shown))
}
