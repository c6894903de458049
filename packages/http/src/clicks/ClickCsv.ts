import { type ClickEvent, fieldNames } from "@clicks/core/clicks/ClickEvent"

// What a spreadsheet takes for a formula, and what `guard` made of it.
const formula = /^'*[=+\-@\t\r]/
const guarded = /^'+[=+\-@\t\r]/

/**
 * A text as it may stand in a CSV file that somebody opens in a spreadsheet: one that would run as a formula gets a `'`
 * before it. Anybody can send a click, and an admin opens the export.
 */
export const guard = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** Takes away what `guard` put there: `unguard(guard(text))` is `text` for every text. */
export const unguard = (text: string): string => (guarded.test(text) ? text.slice(1) : text)

const special = /[",\r\n]/

const quote = (text: string): string => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const cell = (value: ClickEvent[keyof ClickEvent]): string => {
  if (value === null) return ""
  if (typeof value === "string") return quote(guard(value))
  return value instanceof Date ? value.toISOString() : String(value)
}

/** The first line: the field names of the wire. */
export const header = `${fieldNames.join(",")}\r\n`

/** One click as a line (RFC 4180). An absent value is an empty cell, which no text can be: clicks hold no empty texts. */
export const row = (event: ClickEvent): string =>
  `${fieldNames.map((name) => cell(event[name])).join(",")}\r\n`
