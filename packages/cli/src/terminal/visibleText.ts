// Control characters (C0, DEL, C1), line and paragraph separators, and the marks that turn the direction of writing: they
// would move the cursor, recolour the terminal or show a text as another one.
const unseen =
  /[\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu

const escape = (character: string): string => {
  const code = character.charCodeAt(0)
  if (code === 0x09) return " "
  // Each control character of ASCII has a picture of itself: ESC is U+241B.
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return "\u2421"
  return `\\u${code.toString(16).padStart(4, "0")}`
}

/** The text on one line, with everything that a terminal would act on made visible. What came from outside is printed so. */
export const visibleText = (text: string): string => text.replaceAll(unseen, escape)

/** JSON with the characters escaped that JSON lets through and a terminal would act on. It means the same. */
export const visibleJson = (json: string): string =>
  json.replaceAll(unseen, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
