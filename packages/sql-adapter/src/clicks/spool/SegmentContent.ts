import { ClickEvent, fieldNames } from "@clicks/core/clicks/ClickEvent"
import type { SpooledClick } from "@clicks/core/clicks/recording/Spool"
import { Result, Schema } from "effect"
import { encodeFrame, type Frame, readFrames } from "./frames.ts"
import type { Segment } from "./SpoolFolder.ts"

const Written = Schema.fromJsonString(
  Schema.Struct({
    // A record schema would copy it key by key: 12 µs per click instead of 6.
    event: Schema.ObjectKeyword,
    reason: Schema.optionalKey(Schema.String)
  })
)

const readWritten = Schema.decodeUnknownResult(Written)
const readEvent = Schema.decodeUnknownResult(ClickEvent)

// Null fields are left out: that is shorter, and a version with more fields can read it.
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

/** The state of a segment that was read to its end. */
export interface Findings {
  readonly readable: number
  /** Bytes that changed after they were written, or that this version cannot read. */
  readonly damaged_bytes: number
  /** Acknowledged clicks that cannot be read; null when the number of acknowledged clicks is unknown. */
  readonly lost: number | null
  /** Bytes of an interrupted last write, which was never acknowledged. */
  readonly torn_bytes: number
}

export const isDamaged = ({ damaged_bytes, lost }: Findings): boolean => damaged_bytes > 0 || (lost ?? 0) > 0

/** The clicks of a segment, then its findings. Without an `end` its writer may have died during a write. */
export function* readClicks(
  bytes: Buffer,
  { end, first, writer }: Segment
): Generator<SpooledClick | Findings> {
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
  const lost = end === undefined ? null : Math.max(0, end - first - readable)
  yield end === undefined
    ? { readable, damaged_bytes, lost, torn_bytes: unread }
    : { readable, damaged_bytes: damaged_bytes + unread, lost, torn_bytes: 0 }
}
