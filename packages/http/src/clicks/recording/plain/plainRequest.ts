import type { Buffer } from "node:buffer"
import { path } from "../RecordingApi.ts"
import { isAccepted } from "../recordOne.ts"

/** The lines before a body, but for the length of the body. */
export interface Head {
  /** What comes before the line with the length, and after it. */
  readonly before: string
  readonly after: string
  /** The path, with `?key=` if it was sent. */
  readonly url: string
  /** By lower-case name; each came once. */
  readonly headers: Readonly<Record<string, string>>
}

/** A request that records one click and asks for nothing else. */
export interface PlainRequest {
  readonly head: Head
  readonly body: Buffer
}

export interface Limits {
  /** Bytes of the lines before the body. */
  readonly maxHead: number
  readonly maxBody: number
}

// A key of characters that stand for themselves, as the tracking script sends it.
const requestLine = new RegExp(`^POST (${path.one}(?:\\?key=[\\w.~-]{1,255})?) HTTP/1\\.1\r\n`)
const end = "\r\n\r\n"

const lengthLine = /\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*(?=\r\n)/i

// RFC 9112, section 5, without what a plain request does not need: bytes beyond ASCII. No two parts can take the same blank, which would
// make it slow on purpose.
const field = /([!#$%&'*+\-.^_`|~\w]+):([\t\x20-\x7e]*)\r\n/y

const fieldsOf = (lines: string): Record<string, string> | undefined => {
  const fields: Record<string, string> = {}
  for (field.lastIndex = 0; field.lastIndex < lines.length; ) {
    const found = field.exec(lines)
    if (found === null) return undefined
    const [, name = "", value = ""] = found
    const lowerCase = name.toLowerCase()
    if (Object.hasOwn(fields, lowerCase)) return undefined
    fields[lowerCase] = value.trim()
  }
  return fields
}

// Headers that frame the message, or ask for more than a response on the connection.
const isPlain = (fields: Readonly<Record<string, string>>): boolean =>
  Boolean(fields["host"]) &&
  fields["content-length"] === undefined &&
  fields["transfer-encoding"] === undefined &&
  fields["content-encoding"] === undefined &&
  fields["expect"] === undefined &&
  fields["upgrade"] === undefined &&
  fields["proxy-connection"] === undefined &&
  (fields["connection"] === undefined || fields["connection"].toLowerCase() === "keep-alive") &&
  isAccepted(fields["content-type"])

const headOf = (before: string, after: string): Head | undefined => {
  const [line, url] = requestLine.exec(before) ?? []
  if (line === undefined || url === undefined) return undefined
  const headers = fieldsOf(`${before.slice(line.length)}${after}`)
  return headers !== undefined && isPlain(headers) ? { before, after, url, headers } : undefined
}

/**
 * Reads the plain request that the bytes of a connection are. Strict: undefined for anything that is unusual, in pieces or followed by
 * more, so that how HTTP is to be understood is decided in one place, by Node. `last` is the head of the request before on the connection:
 * most clients send the same one again, and it is not taken apart again then.
 */
export const readPlainRequest = (
  bytes: Buffer,
  { maxBody, maxHead }: Limits,
  last: Head | undefined
): PlainRequest | undefined => {
  const bodyAt = bytes.indexOf(end, 0, "latin1") + end.length
  if (bodyAt < end.length || bodyAt > maxHead) return undefined
  const text = bytes.toString("latin1", 0, bodyAt - 2)
  const found = lengthLine.exec(text)
  const length = Number(found?.[1])
  if (found === null || length > maxBody || bodyAt + length !== bytes.length) return undefined
  const before = text.slice(0, found.index + 2)
  const after = text.slice(found.index + found[0].length + 2)
  const head = before === last?.before && after === last.after ? last : headOf(before, after)
  return head === undefined ? undefined : { head, body: bytes.subarray(bodyAt) }
}
