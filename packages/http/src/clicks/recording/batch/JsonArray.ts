const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** The index of the first byte at or after `from` that is not JSON whitespace. */
export const skipBlanks = (bytes: Uint8Array, from: number): number => {
  let at = from
  while (isBlank(bytes[at])) at++
  return at
}

/** The bytes from `start` to `end`, without leading and trailing whitespace. */
export const trimmed = (bytes: Uint8Array, start: number, end: number): Uint8Array => {
  let last = end
  while (last > start && isBlank(bytes[last - 1])) last--
  return bytes.subarray(Math.min(skipBlanks(bytes, start), last), last)
}

/** The index of the quote that closes the string whose text begins at `from`. If there is none, the length of the bytes or more. */
export const endOfString = (bytes: Uint8Array, from: number): number => {
  let at = from
  for (; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
  return at
}

/**
 * Cuts a JSON array into its elements, in one pass. Undefined if the bytes from `start` to the end are not one array. Does not parse the
 * elements: the bytes are valid JSON if and only if each element is. Stops at the first element beyond `limit`.
 */
export const elements = (
  bytes: Uint8Array,
  start: number,
  limit: number
): ReadonlyArray<Uint8Array> | undefined => {
  if (bytes[start] !== openBracket) return undefined
  const found: Array<Uint8Array> = []
  let from = start + 1
  let depth = 1
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) at = endOfString(bytes, at + 1)
    else if (byte === openBrace || byte === openBracket) depth++
    else if (byte === closeBrace || byte === closeBracket) {
      if (--depth > 0) continue
      const isEmpty = found.length === 0 && skipBlanks(bytes, from) === at
      if (!isEmpty) found.push(trimmed(bytes, from, at))
      return byte === closeBracket && skipBlanks(bytes, at + 1) === bytes.length ? found : undefined
    } else if (byte === comma && depth === 1) {
      if (found.push(trimmed(bytes, from, at)) > limit) return found
      from = at + 1
    }
  }
  return undefined
}
