import { Result } from "effect"
import * as RequestBody from "./RequestBody.ts"

/** One click of many as it was sent: its JSON value, or the reason why it has none. */
export type BatchItem =
  | { readonly value: unknown; readonly original: () => Uint8Array }
  | { readonly unreadable: string }

type Items = Result.Result<ReadonlyArray<BatchItem>, RequestBody.BodyRefused>

const lineTypes = new Set(["application/x-ndjson", "application/ndjson", "application/jsonl"])
const accepted = new Set(["", "application/json", "text/plain", ...lineTypes])

/** Whether the media type may hold many clicks. */
export const isAccepted = (mediaType: string): boolean => accepted.has(mediaType)

const notJson = new RequestBody.BodyRefused({
  status: 400,
  error: "The body must be a JSON array or NDJSON, in UTF-8"
})

const tooMany = (limit: number) =>
  new RequestBody.BodyRefused({ status: 413, error: `At most ${limit} clicks go into one request` })

const encoder = new TextEncoder()

// JSON.stringify runs out of stack on a value nested deeper than what JSON.parse takes; the body is kept whole then.
const originalOf = (value: unknown, body: Uint8Array) => () => {
  try {
    return encoder.encode(JSON.stringify(value))
  } catch {
    return body
  }
}

const fromLine = (line: Uint8Array): BatchItem | undefined => {
  const text = RequestBody.utf8(line)
  if (text === undefined) return { unreadable: "The line is not UTF-8" }
  if (text.trim() === "") return undefined
  const parsed = RequestBody.json(text)
  return parsed === undefined
    ? { unreadable: "The line is not JSON" }
    : { value: parsed.value, original: () => line }
}

const newline = 0x0a
const space = 0x20
const bracket = 0x5b

// Cut into lines before it is decoded, so that bytes that are not UTF-8 spoil their own line only.
const fromLines = (body: Uint8Array, limit: number): Items => {
  const items: Array<BatchItem> = []
  let start = 0
  while (start < body.length) {
    const found = body.indexOf(newline, start)
    const end = found === -1 ? body.length : found
    const item = fromLine(body.subarray(start, end))
    if (item !== undefined && items.push(item) > limit) return Result.fail(tooMany(limit))
    start = end + 1
  }
  return Result.succeed(items)
}

const fromValue = (value: unknown, body: Uint8Array, limit: number): Items => {
  const values: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  return values.length > limit
    ? Result.fail(tooMany(limit))
    : Result.succeed(values.map((value) => ({ value, original: originalOf(value, body) })))
}

/**
 * The clicks of a body: the items of a JSON array, a single JSON value, or NDJSON whose blank lines do not count. What a
 * type does not tell apart, the content does. Fails when there are more than `limit`, or when the body is none of these.
 */
export const parse = (body: Uint8Array, mediaType: string, limit: number): Items => {
  if (lineTypes.has(mediaType)) return fromLines(body, limit)
  const whole = RequestBody.parse(body)
  if (whole !== undefined) return fromValue(whole.value, body, limit)
  const first = body.find((byte) => byte > space)
  return first === undefined || first === bracket ? Result.fail(notJson) : fromLines(body, limit)
}
