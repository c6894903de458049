import { type ClickEvent, fieldNames } from "@clicks/core/clicks/ClickEvent"

// What a spreadsheet takes for a formula: the ASCII and full-width signs, also behind blanks and invisible characters, which some
// programs trim; and a cell that begins with a tab or a line break. Leading apostrophes count, so that `unguard` can tell.
const formula = /^(?:'*[\t\r\n]|['\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u

/**
 * A text that is safe in a CSV file that is opened in a spreadsheet: one that would run as a formula gets a `'` before it. Anyone
 * can send a click, and an admin opens the export.
 */
export const guard = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** Removes what `guard` added: `unguard(guard(text))` is `text` for every text. For cells of an export only (`isExport`). */
export const unguard = (text: string): string =>
  text.startsWith("'") && formula.test(text) ? text.slice(1) : text

/** Whether a file with this header row is an export, in which cells are guarded: it has every column of one. */
export const isExport = (columns: ReadonlyArray<string>): boolean =>
  fieldNames.every((name) => columns.includes(name))

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
