// Control characters (C0, DEL, C1), line and paragraph separators, bidirectional marks and lone surrogates: they could move the
// cursor, colour the terminal or disguise the text.
const invisible =
  /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu

const escape = (character: string): string => {
  const code = character.charCodeAt(0)
  if (code === 0x09) return " "
  // Each ASCII control character has a symbol: ESC is U+241B.
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return "\u2421"
  return `\\u${code.toString(16).padStart(4, "0")}`
}

/** The text on one line, with all characters that a terminal interprets made visible. For all text from outside. */
export const visibleText = (text: string): string => text.replaceAll(invisible, escape)

/** Equivalent JSON in which the characters that a terminal interprets are escaped. */
export const visibleJson = (json: string): string =>
  json.replaceAll(invisible, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
