import { ClickEvent, fieldNames } from "@clicks/core/clicks/ClickEvent"
import type { SpooledClick } from "@clicks/core/clicks/recording/Spool"
import { Result, Schema } from "effect"
import { encodeFrame, type Frame, readFrames } from "./frames.ts"
import type { Segment } from "./SpoolFolder.ts"

const Written = Schema.fromJsonString(
  Schema.Struct({
    // Any object: a record schema would copy it key by key, and a click would take 12 µs to read instead of 6.
    event: Schema.ObjectKeyword,
    reason: Schema.optionalKey(Schema.String)
  })
)

const readWritten = Schema.decodeUnknownResult(Written)
const readEvent = Schema.decodeUnknownResult(ClickEvent)

// Null fields are left out: shorter, and a version that has one more of them reads what an older one wrote.
const withoutNulls = (_: string, value: unknown) => value ?? undefined
const absent = Object.fromEntries(fieldNames.map((name) => [name, null]))

/** The record of a click. The id and the time of the quarantined original are those of the click. */
export const encode = (marker: Buffer, { event, quarantined }: SpooledClick): Buffer =>
  encodeFrame(
    marker,
    JSON.stringify({ event, reason: quarantined?.reason }, withoutNulls),
    quarantined?.original ?? null
  )

/** The click of a record; undefined when this version cannot read it. */
export const decode = ({ json, original }: Frame): SpooledClick | undefined => {
  const written = Result.getOrUndefined(readWritten(json.toString()))
  const event = Result.getOrUndefined(readEvent({ ...absent, ...written?.event }))
  if (event === undefined) return undefined
  const { id: click_id, received_at } = event
  const reason = written?.reason
  const isWhole = reason === undefined || original === null
  return { event, quarantined: isWhole ? null : { click_id, received_at, reason, original } }
}

/** What was found in a segment that was read to its end. */
export interface Findings {
  readonly readable: number
  /** Bytes that are not as they were written, or that this version cannot read. */
  readonly damaged_bytes: number
  /** Clicks that were acknowledged and cannot be read; null when it is not known how many were acknowledged. */
  readonly lost: number | null
  /** Bytes of a last write that was cut off, and so never acknowledged. */
  readonly torn_bytes: number
}

export const isDamaged = ({ damaged_bytes, lost }: Findings): boolean => damaged_bytes > 0 || (lost ?? 0) > 0

/** The clicks of a segment. Without an `end` its writer may have died while it wrote. */
export function* readClicks(
  bytes: Buffer,
  { end, first, writer }: Segment
): Generator<SpooledClick, Findings> {
  let [readable, damaged_bytes, unread] = [0, 0, 0]
  for (const frame of readFrames(bytes, writer)) {
    const click = typeof frame === "number" ? undefined : decode(frame)
    if (click === undefined) unread += typeof frame === "number" ? frame : frame.size
    else {
      damaged_bytes += unread
      unread = 0
      readable++
      yield click
    }
  }
  if (end === undefined) return { readable, damaged_bytes, lost: null, torn_bytes: unread }
  const lost = Math.max(0, end - first - readable)
  return { readable, damaged_bytes: damaged_bytes + unread, lost, torn_bytes: 0 }
}
