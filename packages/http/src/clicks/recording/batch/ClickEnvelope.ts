import { Buffer } from "node:buffer"
import { parseJson } from "@clicks/core/clicks/parseJson"
import { utf8 } from "../../../requests/RequestBody.ts"
import { endOfString, skipBlanks } from "./JsonArray.ts"

const quote = 0x22
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

// A click can also have an unknown field `clicks` with an array. An object with one of these fields is a click, not an envelope.
const fieldsOfClick = ["product_id", "action"]

// In bytes: with quotes, and with an escape of 6 bytes for each character.
const longestName = 6 * "product_id".length + 2

/** An object `{"sent_at": …, "clicks": […]}`, cut into the array and the rest. */
export interface ClickEnvelope {
  /** The bytes of the array. */
  readonly clicks: Uint8Array
  /** The bytes before the array and after it. */
  readonly around: readonly [Uint8Array, Uint8Array]
}

/** Reads the string from `start` to `close`; undefined if it is longer than any known name, or not a valid string. */
const nameAt = (bytes: Uint8Array, start: number, close: number): string | undefined => {
  const length = close + 1 - start
  if (length > longestName) return undefined
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + start, length).toString("latin1")
  if (!text.includes("\\")) return text.slice(1, -1)
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The index of the value if the string that closes at `close` is a name; otherwise -1. */
const valueAfter = (bytes: Uint8Array, close: number): number => {
  const colonAt = skipBlanks(bytes, close + 1)
  return bytes[colonAt] === colon ? skipBlanks(bytes, colonAt + 1) : -1
}

/**
 * Cuts an envelope, in one pass. Undefined if the bytes from `start` to the end are not one object, if the object has no array `clicks`, or
 * if it is a click itself. If there are several arrays `clicks`, the last one counts, as for `JSON.parse`.
 */
export const cut = (bytes: Uint8Array, start: number): ClickEnvelope | undefined => {
  let [depth, from, to] = [0, -1, -1]
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      const close = endOfString(bytes, at + 1)
      const value = depth === 1 ? valueAfter(bytes, close) : -1
      const name = value === -1 ? undefined : nameAt(bytes, at, close)
      if (name !== undefined && fieldsOfClick.includes(name)) return undefined
      if (name === "clicks" && bytes[value] === openBracket) [from, to] = [value, -1]
      at = close
    } else if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBrace || byte === closeBracket) {
      if (--depth === 1 && from !== -1 && to === -1) to = at + 1
      if (depth > 0) continue
      const isWhole = byte === closeBrace && skipBlanks(bytes, at + 1) === bytes.length
      if (!isWhole || to === -1) return undefined
      return { clicks: bytes.subarray(from, to), around: [bytes.subarray(start, from), bytes.subarray(to)] }
    }
  }
  return undefined
}

/** The size of an envelope without its clicks, in bytes. */
export const sizeWithoutClicks = ({ around: [before, after] }: ClickEnvelope): number =>
  before.length + after.length

/** The other fields of an envelope; undefined if the envelope is not JSON. */
export const fields = ({
  around: [before, after]
}: ClickEnvelope): Readonly<Record<string, unknown>> | undefined => {
  const text = utf8(Buffer.concat([before, Buffer.from("[]"), after]))
  if (text === undefined) return undefined
  try {
    const { clicks: _, ...others } = parseJson(text) as Record<string, unknown>
    return others
  } catch {
    return undefined
  }
}
