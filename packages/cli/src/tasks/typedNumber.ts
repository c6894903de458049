const typed = /^-?\d{1,15}(\.\d{1,15})?$/

/** What somebody typed as a number; anything else stays a text, so that the rules in core say what is wrong with it. */
export const typedNumber = (text: string): number | string => (typed.test(text) ? Number(text) : text)
