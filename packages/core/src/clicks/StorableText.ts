// A text column takes any Unicode text without NUL; a lone surrogate has no UTF-8 form at all.
const unstorable = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g

/** Why a text cannot be stored, or undefined when it can. */
export const unstorableReason = (text: string): string | undefined => {
  if (text.includes("\0")) return "contains a NUL character"
  return text.isWellFormed() ? undefined : "contains a lone surrogate"
}

/** The text with every character that cannot be stored replaced by U+FFFD. */
export const replaceUnstorable = (text: string): string => text.replaceAll(unstorable, "\uFFFD")
