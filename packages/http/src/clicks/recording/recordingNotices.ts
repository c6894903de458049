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

/** Says what of a click could not be stored as it was sent; the original is in the quarantine. */
export const notAsSent = (losses: string | undefined): Notices =>
  losses === undefined ? noNotices : [`Not stored as sent: ${losses.replaceAll("; ", ", ")}`]
