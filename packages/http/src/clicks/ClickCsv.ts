import { type ClickEvent, fieldNames } from "@clicks/core/clicks/ClickEvent"

// Texts that spreadsheets run as a formula: those that begin with an ASCII or full-width sign, even after blanks and invisible characters,
// which some programs trim, and those that begin with a tab or a line break. Leading apostrophes match too, so that `unguard` reverses
// `guard`.
const formula = /^(?:'*[\t\r\n]|['\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u

/** Prefixes a text with `'` if a spreadsheet would run it as a formula. Anyone can send such a click, and an admin may open the export. */
export const guard = (text: string): string => (formula.test(text) ? `'${text}` : text)

/** Removes what `guard` added: `unguard(guard(text))` is `text` for every text. For cells of an export only (`isExport`). */
export const unguard = (text: string): string =>
  text.startsWith("'") && formula.test(text) ? text.slice(1) : text

/** Whether a file with this header row is an export: it has all columns of one, and its cells are guarded. */
export const isExport = (columns: ReadonlyArray<string>): boolean =>
  fieldNames.every((name) => columns.includes(name))

const special = /[",\r\n]/

const quote = (text: string): string => (special.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** A value as a cell (RFC 4180). A missing value is an empty cell. */
export const cell = (value: string | number | Date | null | undefined): string => {
  if (value === null || value === undefined) return ""
  if (typeof value === "string") return quote(guard(value))
  return value instanceof Date ? value.toISOString() : String(value)
}

/** The header row. */
export const header = `${fieldNames.join(",")}\r\n`

/** A click as a line (RFC 4180). An empty cell is null: clicks have no empty texts. */
export const row = (event: ClickEvent): string =>
  `${fieldNames.map((name) => cell(event[name])).join(",")}\r\n`
