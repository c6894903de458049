const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

export const isJsonSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Where a byte stands: inside the element, at its end as its last byte, or just behind it. */
export type JsonPlace = "inside" | "last" | "behind"

/** Finds the end of one JSON value of an array, byte by byte, without judging what it holds. */
export const jsonElementScanner = (): ((byte: number) => JsonPlace) => {
  let depth = 0
  let inString = false
  let isEscaped = false

  const insideString = (byte: number): void => {
    if (isEscaped) isEscaped = false
    else if (byte === backslash) isEscaped = true
    else if (byte === quote) inString = false
  }

  return (byte) => {
    if (inString) insideString(byte)
    else if (byte === quote) inString = true
    else if (byte === openBrace || byte === openBracket) depth++
    else if (depth > 0) {
      if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return "last"
    } else if (byte === comma || byte === closeBracket || isJsonSpace(byte)) return "behind"
    return "inside"
  }
}
