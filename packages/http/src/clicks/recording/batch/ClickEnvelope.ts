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

const name = Buffer.from('"clicks"')

/** An object `{"sent_at": …, "clicks": […]}`, cut. */
export interface ClickEnvelope {
  /** The bytes of the array. */
  readonly clicks: Uint8Array
  /** The bytes before the array and after it. */
  readonly around: readonly [Uint8Array, Uint8Array]
}

/** Where the array begins that is the value of a name; -1 when the string from `start` to `close` is not `clicks` or has no array. */
const arrayAfter = (bytes: Uint8Array, start: number, close: number): number => {
  if (name.compare(bytes, start, close + 1) !== 0) return -1
  const colonAt = skipBlanks(bytes, close + 1)
  if (bytes[colonAt] !== colon) return -1
  const valueAt = skipBlanks(bytes, colonAt + 1)
  return bytes[valueAt] === openBracket ? valueAt : -1
}

/**
 * Cuts an envelope, in one pass; undefined when the bytes are not one object from `start` to the end, or it has no array `clicks`. Of
 * several, the last counts, as for `JSON.parse`.
 */
export const cut = (bytes: Uint8Array, start: number): ClickEnvelope | undefined => {
  let [depth, from, to] = [0, -1, -1]
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) {
      const close = endOfString(bytes, at + 1)
      const array = depth === 1 ? arrayAfter(bytes, at, close) : -1
      if (array !== -1) [from, to] = [array, -1]
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
