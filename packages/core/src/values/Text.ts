// A text column accepts any Unicode text without NUL. A lone surrogate has no UTF-8 form.
const unstorable = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

/** The reason why a text cannot be stored; undefined if it can. */
export const unstorableReason = (text: string): string | undefined => {
  if (text.includes("\0")) return "contains a NUL character"
  return text.isWellFormed() ? undefined : "contains a lone surrogate"
}

/** The text with every character that cannot be stored replaced by U+FFFD. */
export const replaceUnstorable = (text: string): string => text.replaceAll(unstorable, "\uFFFD")
/**
 * The form of a text for searching and sorting, which ignores case and the different Unicode spellings of a character. It is computed here
 * and stored, so it does not depend on a database's locale.
 */
export const fold = (text: string): string =>
  // Upper case first, because only that turns ß into SS. A sigma at the end of a word has a lower-case form of its own.
  text.normalize("NFKC").toUpperCase().toLowerCase().replaceAll("ς", "σ").normalize("NFKC")

const codePointRank = (unit: number): number =>
  unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit

/** Orders texts by code point, which is also the order of their UTF-8 bytes (JavaScript's own order is by UTF-16 unit). */
export const compareCodePoints = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = codePointRank(a.charCodeAt(index)) - codePointRank(b.charCodeAt(index))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
