import { crc32 } from "node:zlib"

/**
 * A record of a segment:
 *
 *     marker 8 | CRC-32 of what follows 4 | length of the JSON 4 | length of the original + 1, or 0 without 4 | JSON | original
 *
 * Numbers are little-endian. Each writer has a random marker, so nothing that a client sends can pass for a record when a
 * damaged segment is searched for the next one.
 */
export interface Frame {
  readonly json: Buffer
  readonly original: Buffer | null
  /** Its size in the segment. */
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

/** The record at that offset; undefined when there is none or it is damaged. */
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

/** The offset of the next record; the end of the bytes when there is none. */
const nextFrame = (bytes: Buffer, marker: Buffer, from: number): number => {
  let at = bytes.indexOf(marker, from)
  while (at !== -1 && frameAt(bytes, marker, at) === undefined) at = bytes.indexOf(marker, at + 1)
  return at === -1 ? bytes.length : at
}

/** The records of a segment, and between them the number of unreadable bytes. The writer is its marker in hexadecimal. */
export function* readFrames(bytes: Buffer, writer: string): Generator<Frame | number> {
  const marker = Buffer.from(writer, "hex")
  for (let at = 0; at < bytes.length; ) {
    const frame = frameAt(bytes, marker, at)
    const next = frame === undefined ? nextFrame(bytes, marker, at + 1) : at + frame.size
    yield frame ?? next - at
    at = next
  }
}
