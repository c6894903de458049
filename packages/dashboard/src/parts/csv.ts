import type { Cell, TableData } from "./Table.tsx"

// A spreadsheet would run a text that begins like this as a formula.
const isFormula = /^[=+\-@\t\r]/

const field = (cell: Cell): string => {
  if (cell === null) return ""
  if (typeof cell === "number") return String(cell)
  const text = isFormula.test(cell) ? `'${cell}` : cell
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A table as CSV. */
export const csvOf = <Row>({ columns, rows }: TableData<Row>): string => {
  const saved = columns.filter(({ value }) => value !== undefined)
  const lines = rows.map((row) => saved.map(({ value }) => value?.(row) ?? null))
  return [saved.map(({ title }) => title), ...lines]
    .map((line) => `${line.map(field).join(",")}\r\n`)
    .join("")
}

/** Saves a text as a file. */
export const save = (name: string, text: string): void => {
  const link = document.createElement("a")
  // Spreadsheets recognise UTF-8 by the byte order mark.
  link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}
