import { crc32 } from "node:zlib"
import { ClickEvent, fieldNames } from "@clicks/core/clicks/ClickEvent"
import type { SpooledClick } from "@clicks/core/clicks/recording/Spool"
import { Result, Schema } from "effect"
import type { Segment } from "./SpoolFolder.ts"

/**
 * A record of a segment:
 *
 *     marker 8 | CRC-32 of the rest 4 | length of the JSON 4 | length of the original + 1, or 0 without one 4 | JSON | original
 *
 * The numbers after the names are sizes in bytes; integers are little-endian. Each writer has a random marker, so that data sent by a
 * client cannot be taken for a record when the next record is searched in a damaged segment.
 */
export interface Frame {
  readonly json: Buffer
  readonly original: Buffer | null
  /** The size of the record in the segment, in bytes. */
  readonly size: number
}

export const markerBytes = 8
const headerBytes = markerBytes + 12

export const encodeFrame = (marker: Buffer, json: string, original: Uint8Array | null): Buffer => {
  const jsonBytes = Buffer.byteLength(json)
  const frame = Buffer.allocUnsafe(headerBytes + jsonBytes + (original?.length ?? 0))
  frame.set(marker)
  frame.writeUInt32LE(jsonBytes, markerBytes + 4)
  frame.writeUInt32LE(original === null ? 0 : original.length + 1, markerBytes + 8)
  frame.write(json, headerBytes)
  if (original !== null) frame.set(original, headerBytes + jsonBytes)
  frame.writeUInt32LE(crc32(frame.subarray(markerBytes + 4)), markerBytes)
  return frame
}

/** The record at an offset; undefined if there is none or it is damaged. */
const frameAt = (bytes: Buffer, marker: Buffer, at: number): Frame | undefined => {
  const jsonAt = at + headerBytes
  if (jsonAt > bytes.length || bytes.compare(marker, 0, markerBytes, at, at + markerBytes) !== 0)
    return undefined
  const originalAt = jsonAt + bytes.readUInt32LE(at + markerBytes + 4)
  const originalBytes = bytes.readUInt32LE(at + markerBytes + 8) - 1
  const end = originalAt + Math.max(0, originalBytes)
  if (end > bytes.length) return undefined
  if (crc32(bytes.subarray(at + markerBytes + 4, end)) !== bytes.readUInt32LE(at + markerBytes))
    return undefined
  const original = originalBytes < 0 ? null : bytes.subarray(originalAt, end)
  return { json: bytes.subarray(jsonAt, originalAt), original, size: end - at }
}

/** The offset of the next record; the length of the bytes if there is none. */
const nextFrame = (bytes: Buffer, marker: Buffer, from: number): number => {
  let at = bytes.indexOf(marker, from)
  while (at !== -1 && frameAt(bytes, marker, at) === undefined) at = bytes.indexOf(marker, at + 1)
  return at === -1 ? bytes.length : at
}

/** The records of a segment and, between them, the number of unreadable bytes. The writer is its marker in hexadecimal. */
export function* readFrames(bytes: Buffer, writer: string): Generator<Frame | number> {
  const marker = Buffer.from(writer, "hex")
  for (let at = 0; at < bytes.length; ) {
    const frame = frameAt(bytes, marker, at)
    const next = frame === undefined ? nextFrame(bytes, marker, at + 1) : at + frame.size
    yield frame ?? next - at
    at = next
  }
}

const Written = Schema.fromJsonString(
  Schema.Struct({
    // A record schema would copy the object key by key: 12 µs per click instead of 6.
    event: Schema.ObjectKeyword,
    reason: Schema.optionalKey(Schema.String)
  })
)

const readWritten = Schema.decodeUnknownResult(Written)
const readEvent = Schema.decodeUnknownResult(ClickEvent)

// Null fields are omitted: the record is shorter, and versions with more fields can read it.
const withoutNulls = (_: string, value: unknown) => value ?? undefined
const absent = Object.fromEntries(fieldNames.map((name) => [name, null]))

/** Encodes a click. Id and time of its quarantined original are not written, because they are those of the click. */
export const encode = (marker: Buffer, { event, quarantined }: SpooledClick): Buffer =>
  encodeFrame(
    marker,
    JSON.stringify({ event, reason: quarantined?.reason }, withoutNulls),
    quarantined?.original ?? null
  )

/** Decodes a record; undefined if this version cannot read it. */
export const decode = ({ json, original }: Frame): SpooledClick | undefined => {
  const written = Result.getOrUndefined(readWritten(json.toString()))
  const event = Result.getOrUndefined(readEvent({ ...absent, ...written?.event }))
  if (event === undefined) return undefined
  const { id: click_id, received_at } = event
  const reason = written?.reason
  const isWhole = reason === undefined || original === null
  return { event, quarantined: isWhole ? null : { click_id, received_at, reason, original } }
}

/**
 * Finds the click with this id in a segment. In 4 MiB (9,000 clicks), searching for the text takes 0.6 ms; decoding all records would take
 * 75.
 */
export const findClick = (bytes: Buffer, writer: string, id: string): SpooledClick | undefined => {
  const text = `"id":"${id}"`
  if (!bytes.includes(text)) return undefined
  for (const frame of readFrames(bytes, writer)) {
    // The texts of another click may contain it too.
    const click = typeof frame === "number" || !frame.json.includes(text) ? undefined : decode(frame)
    if (click?.event.id === id) return click
  }
  return undefined
}

/** The findings about a segment that was read to its end. */
export interface Findings {
  readonly readable: number
  /** Bytes that changed after they were written, or that this version cannot read. */
  readonly damaged_bytes: number
  /** The number of acknowledged clicks that cannot be read; null if the number of acknowledged clicks is unknown. */
  readonly lost: number | null
  /** Bytes of an interrupted last write, which was never acknowledged. */
  readonly torn_bytes: number
}

export const isDamaged = ({ damaged_bytes, lost }: Findings): boolean => damaged_bytes > 0 || (lost ?? 0) > 0

/** The clicks of a segment, then its findings. Without an `end`, the writer may have died during a write. */
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
