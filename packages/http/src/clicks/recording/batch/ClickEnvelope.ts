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

// A click may have fields that are unknown here, so these tell it from an envelope even if one of the others is an array `clicks`.
const fieldsOfClick = ["product_id", "action"]

// Quoted, with an escape of 6 bytes for each character.
const longestName = 6 * "product_id".length + 2

/** An object `{"sent_at": …, "clicks": […]}`, cut. */
export interface ClickEnvelope {
  /** The bytes of the array. */
  readonly clicks: Uint8Array
  /** The bytes before the array and after it. */
  readonly around: readonly [Uint8Array, Uint8Array]
}

/** The known name that the string from `start` to `close` spells, if any. */
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

/** Where the value begins that follows the name that closes at `close`; -1 if none does. */
const valueAfter = (bytes: Uint8Array, close: number): number => {
  const colonAt = skipBlanks(bytes, close + 1)
  return bytes[colonAt] === colon ? skipBlanks(bytes, colonAt + 1) : -1
}

/**
 * Cuts an envelope, in one pass; undefined when the bytes are not one object from `start` to the end, or it has no array `clicks`, or it is
 * a click itself. Of several arrays, the last counts, as for `JSON.parse`.
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

/** The bytes of an envelope without its clicks. */
export const sizeWithoutClicks = ({ around: [before, after] }: ClickEnvelope): number =>
  before.length + after.length

/** The other fields of an envelope; undefined when it is not JSON. */
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
