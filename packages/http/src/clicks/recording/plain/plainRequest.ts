import type { Buffer } from "node:buffer"
import { path } from "../RecordingApi.ts"
import { isAccepted } from "../recordOne.ts"

/** The lines before the body, without the length of the body. */
export interface Head {
  /** The text before the line with the length. */
  readonly before: string
  /** The text after it. */
  readonly after: string
  /** The path, with `?key=` if it was sent. */
  readonly url: string
  /** By name in lower case. No name occurs twice. */
  readonly headers: Readonly<Record<string, string>>
}

/** A request that records one click and nothing else. */
export interface PlainRequest {
  readonly head: Head
  readonly body: Buffer
}

export interface Limits {
  /** The maximum size of the lines before the body, in bytes. */
  readonly maxHead: number
  readonly maxBody: number
}

// The key contains only characters that need no percent-encoding, like those that the tracking script sends.
const requestLine = new RegExp(`^POST (${path.one}(?:\\?key=[\\w.~-]{1,255})?) HTTP/1\\.1\r\n`)
const end = "\r\n\r\n"

const lengthLine = /\r\ncontent-length:[ \t]*(\d{1,9})[ \t]*(?=\r\n)/i

// RFC 9112, section 5, without bytes beyond ASCII, which a plain request does not need. No two parts of the expression match the same
// whitespace: otherwise, a request could make it backtrack for long.
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

// A request is not plain if its headers frame the message differently or ask for more than a response on the connection.
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
 * Parses the bytes of a connection as one plain request. Strict: returns undefined for anything unusual, incomplete, or followed by more
 * bytes, so that all other HTTP is interpreted in one place, by Node. `last` is the head of the previous request on the connection. Most
 * clients send the same head again, and then it is not parsed again.
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
