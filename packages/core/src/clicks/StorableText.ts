// A text column takes any Unicode text without NUL; a lone surrogate has no UTF-8 form at all.
const unstorable = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

/** Why a text cannot be stored, or undefined when it can. */
export const unstorableReason = (text: string): string | undefined => {
  const found = unstorable.exec(text)?.[0]
  if (found === undefined) return undefined
  return found === "\0" ? "contains a NUL character" : "contains a lone surrogate"
}

/** The text with every character that cannot be stored replaced by U+FFFD. */
export const replaceUnstorable = (text: string): string =>
  text.replaceAll(new RegExp(unstorable, "g"), "\uFFFD")
