import { nameList } from "../../responses/clickNotice.ts"

/** Sentences for `Click-Notice`. */
export type Notices = ReadonlyArray<string>

export const noNotices: Notices = []

/** The click is recorded without the key, because that is better than losing it. The notice tells the sender that the key has no effect. */
export const keyIgnored = (name: string): Notices => [
  `${name} ignored: must be 1 to 255 visible ASCII characters`
]

/** Lists the fields that are not stored. */
export const fieldsIgnored = (names: ReadonlyArray<string>): Notices =>
  names.length === 0 ? noNotices : [`Ignored fields: ${nameList(names)}`]

const seconds = (millis: number): string => `${millis > 0 ? "+" : ""}${millis / 1_000} s`

const because = "because sent_at is that far from the time of receipt"

/** Reports the correction of a click's time. */
export const clockCorrected = (shift: number | undefined): Notices =>
  shift === undefined ? noNotices : [`occurred_at shifted by ${seconds(shift)}, ${because}`]

/** Reports the corrections of the times of many clicks. */
export const clocksCorrected = (shifts: ReadonlyArray<number>): Notices => {
  if (shifts.length === 0) return noNotices
  const [least, most] = [Math.min(...shifts), Math.max(...shifts)]
  const range = least === most ? seconds(least) : `${seconds(least)} to ${seconds(most)}`
  const noun = shifts.length === 1 ? "click" : "clicks"
  return [`occurred_at of ${shifts.length} ${noun} shifted by ${range}, ${because}`]
}

/** Reports values that could not be stored as sent; the original is in the quarantine. */
export const notAsSent = (losses: string | undefined): Notices =>
  losses === undefined ? noNotices : [`Not stored as sent: ${losses.replaceAll("; ", ", ")}`]
