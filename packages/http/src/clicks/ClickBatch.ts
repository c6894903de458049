import { Buffer, isUtf8 } from "node:buffer"
import { Result } from "effect"
import * as ClickBody from "./ClickBody.ts"
import * as JsonArray from "./JsonArray.ts"
import { BodyRefused, utf8 } from "./RequestBody.ts"

/** One click of many: its JSON value and the bytes it was sent as, or the reason why it cannot be read. */
export type BatchItem =
  | { readonly value: unknown; readonly original: () => Uint8Array }
  | { readonly unreadable: string }

type Items = Result.Result<ReadonlyArray<BatchItem>, BodyRefused>

const lineTypes = new Set(["application/x-ndjson", "application/ndjson", "application/jsonl"])
const accepted = new Set(["", "application/json", "text/plain", ...lineTypes])

/** Whether the media type may hold many clicks. */
export const isAccepted = (mediaType: string): boolean => accepted.has(mediaType)

const notJson = Result.fail(
  new BodyRefused({ status: 400, error: "The body must be a JSON array or NDJSON, in UTF-8" })
)

const tooMany = (limit: number) =>
  Result.fail(new BodyRefused({ status: 413, error: `At most ${limit} clicks go into one request` }))

const newline = 0x0a
const openBracket = 0x5b
const byteOrderMark = Buffer.from("\uFEFF")

// The bytes are a part of the body, not a copy: what a click claims beside its body is never more than was sent for it.
const readable = (value: unknown, bytes: Uint8Array): BatchItem => ({ value, original: () => bytes })

const fromLine = (line: Uint8Array): BatchItem | undefined => {
  const text = utf8(line)
  if (text === undefined) return { unreadable: "The line is not UTF-8" }
  const fields = ClickBody.fromText(text)
  if (fields !== undefined) return readable(fields.body, line)
  return text.trim() === "" ? undefined : { unreadable: "The line is not JSON" }
}

// Cut into lines before it is decoded, so that bytes that are not UTF-8 spoil their own line only.
const fromLines = (body: Uint8Array, limit: number): Items => {
  const items: Array<BatchItem> = []
  let start = JsonArray.skipBlanks(body, 0)
  while (start < body.length) {
    const found = body.indexOf(newline, start)
    const end = found === -1 ? body.length : found
    const item = fromLine(JsonArray.trimmed(body, start, end))
    if (item !== undefined && items.push(item) > limit) return tooMany(limit)
    start = JsonArray.skipBlanks(body, end)
  }
  return Result.succeed(items)
}

const fromArray = (body: Uint8Array, start: number, limit: number): Items => {
  const elements = isUtf8(body) ? JsonArray.elements(body, start, limit) : undefined
  if (elements === undefined) return notJson
  if (elements.length > limit) return tooMany(limit)
  const items: Array<BatchItem> = []
  for (const bytes of elements) {
    // Not `utf8`, which would leave out a byte order mark: within an array it is none.
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()
    const fields = ClickBody.fromText(text)
    if (fields === undefined) return notJson
    items.push(readable(fields.body, bytes))
  }
  return Result.succeed(items)
}

const startsWithMark = (body: Uint8Array): boolean =>
  byteOrderMark.every((byte, index) => body[index] === byte)

/**
 * The clicks of a body: the items of a JSON array, a single JSON value, or NDJSON whose blank lines do not count. What a
 * type does not tell apart, the content does. Fails when there are more than `limit`, or when the body is none of these.
 */
export const parse = (body: Uint8Array, mediaType: string, limit: number): Items => {
  if (lineTypes.has(mediaType)) return fromLines(body, limit)
  const start = JsonArray.skipBlanks(body, startsWithMark(body) ? byteOrderMark.length : 0)
  if (start === body.length) return notJson
  if (body[start] === openBracket) return fromArray(body, start, limit)
  const single = ClickBody.fromBytes(body)
  return single === undefined
    ? fromLines(body, limit)
    : Result.succeed([readable(single.body, body.subarray(start))])
}
