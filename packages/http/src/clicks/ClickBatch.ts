import { Buffer, isUtf8 } from "node:buffer"
import type { KnownFields } from "@clicks/core/clicks/knownFields"
import { Result } from "effect"
import * as ClickBody from "./ClickBody.ts"
import * as JsonArray from "./JsonArray.ts"
import { BodyRefused, utf8 } from "./RequestBody.ts"
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

type Batch = Result.Result<ClickBatch, BodyRefused>

const lineTypes = new Set(["application/x-ndjson", "application/ndjson", "application/jsonl"])
const accepted = new Set(["", "application/json", "text/plain", ...lineTypes])

/** Whether the media type may hold many clicks. */
export const isAccepted = (mediaType: string): boolean => accepted.has(mediaType)

const notJson = Result.fail(
  new BodyRefused({ status: 400, error: "The body must be a JSON array or NDJSON, in UTF-8" })
)

const tooMany = (limit: number) =>
  Result.fail(new BodyRefused({ status: 413, error: `At most ${limit} clicks go into one request` }))

// A notice names a few of them and counts the others; more than these are not counted.
const mostIgnored = 1_000

const newline = 0x0a
const openBracket = 0x5b
const byteOrderMark = Buffer.from("\uFEFF")

/** Collects the items of a body. */
class BatchBuilder {
  readonly #items: Array<BatchItem> = []
  readonly #ignored = new Set<string>()

  get size(): number {
    return this.#items.length
  }

  /** The bytes are a part of the body, not a copy, so the originals of all items take no more than the body. */
  addClick({ body, ignored }: KnownFields, bytes: Uint8Array): void {
    this.#items.push({ value: body, original: () => bytes })
    for (const name of ignored) if (this.#ignored.size < mostIgnored) this.#ignored.add(name)
  }

  addUnreadable(unreadable: string): void {
    this.#items.push({ unreadable })
  }

  get batch(): Batch {
    return Result.succeed({ items: this.#items, notices: fieldsIgnored(Array.from(this.#ignored)) })
  }
}

const addLine = (builder: BatchBuilder, line: Uint8Array): void => {
  const text = utf8(line)
  const fields = text === undefined ? undefined : ClickBody.fromText(text)
  if (fields !== undefined) builder.addClick(fields, line)
  else if (text === undefined) builder.addUnreadable("The line is not UTF-8")
  else if (text.trim() !== "") builder.addUnreadable("The line is not JSON")
}

// Cut into lines before it is decoded, so that bytes that are not UTF-8 spoil their own line only.
const fromLines = (body: Uint8Array, limit: number): Batch => {
  const builder = new BatchBuilder()
  let start = JsonArray.skipBlanks(body, 0)
  while (start < body.length) {
    const found = body.indexOf(newline, start)
    const end = found === -1 ? body.length : found
    addLine(builder, JsonArray.trimmed(body, start, end))
    if (builder.size > limit) return tooMany(limit)
    start = JsonArray.skipBlanks(body, end)
  }
  return builder.batch
}

const fromArray = (body: Uint8Array, start: number, limit: number): Batch => {
  const elements = isUtf8(body) ? JsonArray.elements(body, start, limit) : undefined
  if (elements === undefined) return notJson
  if (elements.length > limit) return tooMany(limit)
  const builder = new BatchBuilder()
  for (const bytes of elements) {
    // Not `utf8`, which would leave out a byte order mark: within an array it is none.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
    const fields = ClickBody.fromText(text)
    if (fields === undefined) return notJson
    builder.addClick(fields, bytes)
  }
  return builder.batch
}

const fromSingle = (body: Uint8Array, start: number): Batch | undefined => {
  const fields = ClickBody.fromBytes(body)
  if (fields === undefined) return undefined
  const builder = new BatchBuilder()
  builder.addClick(fields, body.subarray(start))
  return builder.batch
}

const startsWithMark = (body: Uint8Array): boolean =>
  byteOrderMark.every((byte, index) => body[index] === byte)

/**
 * The clicks of a body: the items of a JSON array, a single JSON value, or NDJSON whose blank lines do not count. What a
 * type does not tell apart, the content does. Fails when there are more than `limit`, or when the body is none of these.
 */
export const parse = (body: Uint8Array, mediaType: string, limit: number): Batch => {
  if (lineTypes.has(mediaType)) return fromLines(body, limit)
  const start = JsonArray.skipBlanks(body, startsWithMark(body) ? byteOrderMark.length : 0)
  if (start === body.length) return notJson
  if (body[start] === openBracket) return fromArray(body, start, limit)
  return fromSingle(body, start) ?? fromLines(body, limit)
}
