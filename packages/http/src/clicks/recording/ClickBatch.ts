import { Buffer, isUtf8 } from "node:buffer"
import type { KnownFields } from "@clicks/core/clicks/recording/knownFields"
import { Effect } from "effect"
import { BodyRefused, utf8 } from "../../requests/RequestBody.ts"
import * as ClickBody from "./ClickBody.ts"
import * as JsonArray from "./JsonArray.ts"
import type { RecordingOptions } from "./RecordingOptions.ts"
import { fieldsIgnored, type Notices } from "./recordingNotices.ts"

/** One click of many: its JSON value and the bytes it was sent as, or the reason why it cannot be read. */
export type BatchItem =
  | { readonly value: unknown; readonly original: () => Uint8Array }
  | { readonly unreadable: string }

export interface ClickBatch {
  readonly items: ReadonlyArray<BatchItem>
  /** What of the clicks is not stored. */
  readonly notices: Notices
}

type Limits = Pick<RecordingOptions, "maxBatch" | "maxBody">

const lineTypes = new Set(["application/x-ndjson", "application/ndjson", "application/jsonl"])
const accepted = new Set(["", "application/json", "text/plain", ...lineTypes])

/** Whether the media type may hold many clicks. */
export const isAccepted = (mediaType: string): boolean => accepted.has(mediaType)

const notJson = new BodyRefused({
  status: 400,
  error: "The body must be a JSON array or NDJSON, in UTF-8"
})

const tooMany = (limit: number) =>
  new BodyRefused({ status: 413, error: `Too many clicks: the limit is ${limit} per request` })

// A notice names a few of them and counts the others; more than these are not counted.
const mostIgnored = 1_000

const newline = 0x0a
const openBracket = 0x5b
const byteOrderMark = Buffer.from("\uFEFF")

/** Collects the items of a body. */
class BatchBuilder {
  readonly #items: Array<BatchItem> = []
  readonly #ignored = new Set<string>()

  /** The bytes are a part of the body, not a copy, so the originals of all items take no more than the body. */
  addClick({ body, ignored }: KnownFields, bytes: Uint8Array): void {
    this.#items.push({ value: body, original: () => bytes })
    for (const name of ignored) if (this.#ignored.size < mostIgnored) this.#ignored.add(name)
  }

  addUnreadable(unreadable: string): void {
    this.#items.push({ unreadable })
  }

  get batch(): ClickBatch {
    return { items: this.#items, notices: fieldsIgnored(Array.from(this.#ignored)) }
  }
}

const addLine = (builder: BatchBuilder, line: Uint8Array): void => {
  const text = utf8(line)
  const fields = text === undefined ? undefined : ClickBody.fromText(text)
  if (fields !== undefined) builder.addClick(fields, line)
  else if (text === undefined) builder.addUnreadable("The line is not UTF-8")
  else if (text.trim() !== "") builder.addUnreadable("The line is not JSON")
}

/** Whether the element is JSON. */
const addElement = (builder: BatchBuilder, element: Uint8Array): boolean => {
  // Not `utf8`, which would leave out a byte order mark: within an array it is none.
  const text = Buffer.from(element.buffer, element.byteOffset, element.length).toString()
  const fields = ClickBody.fromText(text)
  if (fields !== undefined) builder.addClick(fields, element)
  return fields !== undefined
}

// Cut into lines before it is decoded, so that bytes that are not UTF-8 spoil their own line only.
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

/** The bytes of each click, and whether they stood in an array. Stops at the first click beyond the limit. */
const cut = (body: Uint8Array, mediaType: string, { maxBatch, maxBody }: Limits) => {
  const lines = () => ({ pieces: linesOf(body, maxBatch), isArray: false })
  if (lineTypes.has(mediaType)) return lines()
  const start = JsonArray.skipBlanks(body, startsWithMark(body) ? byteOrderMark.length : 0)
  if (start === body.length) return undefined
  if (body[start] === openBracket) {
    const pieces = isUtf8(body) ? JsonArray.elements(body, start, maxBatch) : undefined
    return pieces && { pieces, isArray: true }
  }
  const single = body.subarray(start)
  const isSingle = single.length <= maxBody && ClickBody.fromBytes(single) !== undefined
  return isSingle ? { pieces: [single], isArray: false } : lines()
}

// Bytes after which others have their turn: some 5 ms for those that take longest to parse, 0.5 ms for ordinary clicks.
const turn = 64 * 1024

/**
 * The clicks of a body: the items of a JSON array, a single JSON value, or NDJSON whose blank lines do not count. What a
 * type does not tell apart, the content does. Fails when there are more than `maxBatch`, or when the body is none of these.
 * A click of more than `maxBody` bytes is not read.
 */
export const parse = Effect.fnUntraced(function* (body: Uint8Array, mediaType: string, limits: Limits) {
  const found = cut(body, mediaType, limits)
  if (found === undefined) return yield* notJson
  const { isArray, pieces } = found
  if (pieces.length > limits.maxBatch) return yield* tooMany(limits.maxBatch)
  const builder = new BatchBuilder()
  let read = 0
  for (const piece of pieces) {
    if (piece.length > limits.maxBody)
      builder.addUnreadable(`Click too large: the limit is ${limits.maxBody} bytes`)
    else if (!isArray) addLine(builder, piece)
    else if (!addElement(builder, piece)) return yield* notJson
    read += piece.length
    if (read < turn) continue
    read = 0
    yield* Effect.yieldNow
  }
  return builder.batch
})
