import type { AnswerOf } from "../../api/endpoints.ts"
import { dateTime } from "../../state/dates.ts"
import { bytes, count } from "../../state/format.ts"
import { zone } from "../../state/range.ts"

export type Checks = AnswerOf<"GET", "/readyz">["checks"]
export type Check = Checks[string]

/** The state of a check. Spool and archive can be unavailable but never fail, because clicks are recorded without them. */
export const stateOf = ({ status, usable }: Check): string => (usable === false ? "unavailable" : status)

const waiting = (clicks: number): string => (clicks === 1 ? "1 click waits" : `${count(clicks)} clicks wait`)

const minute = 60
const hour = 60 * minute

const duration = (seconds: number): string => {
  if (seconds < 2 * minute) return `${count(seconds)} s`
  return seconds < 2 * hour
    ? `${count(Math.round(seconds / minute))} minutes`
    : `${count(Math.round(seconds / hour))} hours`
}

const spoolBacklog = ({ bytes: size, depth, max_bytes, oldest }: Check): string => {
  if (typeof depth !== "number") return ""
  if (depth === 0) return "No clicks are waiting for the database."
  const since = typeof oldest === "string" ? `, the oldest since ${dateTime(oldest, zone.value)}` : ""
  return `${waiting(depth)} for the database${since}. The spool uses ${bytes(Number(size))} of ${bytes(Number(max_bytes))}.`
}

const ofSpool = (check: Check): ReadonlyArray<string> => [
  spoolBacklog(check),
  check["disk_full"] === true
    ? "The disk is full: clicks are dropped while the database is unavailable."
    : "",
  Number(check["set_aside"] ?? 0) > 0 ? `Damaged files set aside: ${count(Number(check["set_aside"]))}.` : ""
]

// The service stops counting at a million.
const mostCounted = 1_000_000

const ofArchive = ({ lag_clicks, lag_seconds }: Check): ReadonlyArray<string> => {
  if (typeof lag_clicks !== "number") return []
  if (lag_clicks === 0) return ["No clicks are waiting to be moved."]
  const most = lag_clicks >= mostCounted ? "At least " : ""
  return [`${most}${waiting(lag_clicks)} to be moved, the oldest for ${duration(Number(lag_seconds))}.`]
}

const reasonOf = ({ reason }: Check): string =>
  typeof reason === "string" ? `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.` : ""

const sentences: Readonly<Record<string, (check: Check) => ReadonlyArray<string>>> = {
  spool: ofSpool,
  archive: ofArchive
}

/** The result of a check in sentences. */
export const detailsOf = (name: string, check: Check): string =>
  [reasonOf(check), ...(sentences[name]?.(check) ?? [])].filter((each) => each !== "").join(" ")
