import { nameList } from "../../responses/clickNotice.ts"

/** Sentences for `Click-Notice`. */
export type Notices = ReadonlyArray<string>

export const noNotices: Notices = []

/** A click without its key is worth more than no click, but its sender must be able to see that the key does not count. */
export const keyIgnored = (name: string): Notices => [
  `${name} ignored: must be 1 to 255 visible ASCII characters`
]

/** Names the fields of clicks that are not stored. */
export const fieldsIgnored = (names: ReadonlyArray<string>): Notices =>
  names.length === 0 ? noNotices : [`Ignored fields: ${nameList(names)}`]

const seconds = (millis: number): string => `${millis > 0 ? "+" : ""}${millis / 1_000} s`

const because = "because sent_at is that far from the time of receipt"

/** Names the correction of a click's time. */
export const clockCorrected = (shift: number | undefined): Notices =>
  shift === undefined ? noNotices : [`occurred_at shifted by ${seconds(shift)}, ${because}`]

/** Names the corrections of the times of many clicks. */
export const clocksCorrected = (shifts: ReadonlyArray<number>): Notices => {
  if (shifts.length === 0) return noNotices
  const [least, most] = [Math.min(...shifts), Math.max(...shifts)]
  const range = least === most ? seconds(least) : `${seconds(least)} to ${seconds(most)}`
  const noun = shifts.length === 1 ? "click" : "clicks"
  return [`occurred_at of ${shifts.length} ${noun} shifted by ${range}, ${because}`]
}

/** Says what of a click could not be stored as it was sent; the original is in the quarantine. */
export const notAsSent = (losses: string | undefined): Notices =>
  losses === undefined ? noNotices : [`Not stored as sent: ${losses.replaceAll("; ", ", ")}`]
