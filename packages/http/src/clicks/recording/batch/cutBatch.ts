import { Buffer, isUtf8 } from "node:buffer"
import * as ClickBody from "../ClickBody.ts"
import type { RecordingOptions } from "../RecordingOptions.ts"
import * as ClickEnvelope from "./ClickEnvelope.ts"
import * as JsonArray from "./JsonArray.ts"

export type Limits = Pick<RecordingOptions, "maxBatch" | "maxBody">

const lineTypes = new Set(["application/x-ndjson", "application/ndjson", "application/jsonl"])
const accepted = new Set(["", "application/json", "text/plain", ...lineTypes])

/** Whether a body of many clicks may have this media type. */
export const isAccepted = (mediaType: string): boolean => accepted.has(mediaType)

const newline = 0x0a
const openBracket = 0x5b
const byteOrderMark = Buffer.from("\uFEFF")

// Splits lines before decoding, so that bytes that are not UTF-8 invalidate only their own line.
const linesOf = (body: Uint8Array, limit: number): ReadonlyArray<Uint8Array> => {
  const lines: Array<Uint8Array> = []
  let start = JsonArray.skipBlanks(body, 0)
  while (start < body.length && lines.length <= limit) {
    const found = body.indexOf(newline, start)
    const end = found === -1 ? body.length : found
    lines.push(JsonArray.trimmed(body, start, end))
    start = JsonArray.skipBlanks(body, end)
  }
  return lines
}

const startsWithMark = (body: Uint8Array): boolean =>
  byteOrderMark.every((byte, index) => body[index] === byte)

/** The bytes of each click, whether they come from an array, and the envelope around it, if any. */
export interface Cut {
  readonly pieces: ReadonlyArray<Uint8Array>
  readonly isArray: boolean
  readonly envelope?: ClickEnvelope.ClickEnvelope
}

const cutArray = (
  body: Uint8Array,
  start: number,
  limit: number,
  envelope?: ClickEnvelope.ClickEnvelope
): Cut | undefined => {
  const pieces = isUtf8(body) ? JsonArray.elements(body, start, limit) : undefined
  return pieces && { pieces, isArray: true, ...(envelope && { envelope }) }
}

/** Cuts a body into clicks; undefined if it is empty or not a complete array. Stops at the first click beyond the limit. */
export const cut = (body: Uint8Array, mediaType: string, { maxBatch, maxBody }: Limits): Cut | undefined => {
  const lines = () => ({ pieces: linesOf(body, maxBatch), isArray: false })
  if (lineTypes.has(mediaType)) return lines()
  const start = JsonArray.skipBlanks(body, startsWithMark(body) ? byteOrderMark.length : 0)
  if (start === body.length) return undefined
  if (body[start] === openBracket) return cutArray(body, start, maxBatch)
  const envelope = ClickEnvelope.cut(body, start)
  if (envelope !== undefined) return cutArray(envelope.clicks, 0, maxBatch, envelope)
  const single = body.subarray(start)
  const isSingle = single.length <= maxBody && ClickBody.fromBytes(single) !== undefined
  return isSingle ? { pieces: [single], isArray: false } : lines()
}
