import { cell } from "@clicks/http/clicks/ClickCsv"
import { visibleText } from "../terminal/visibleText.ts"

/** A CSV record. All records of a file have the same columns. */
export type CsvRecord = Readonly<Record<string, string | number | null>>

/** Records as CSV (RFC 4180) with a header row. For a terminal, without control characters. */
export const csvText = (records: ReadonlyArray<CsvRecord>, toTerminal: boolean): string => {
  const [first = {}] = records
  const columns = Object.keys(first)
  const lines = [columns, ...records.map((record) => columns.map((name) => record[name]))]
  const end = toTerminal ? "\n" : "\r\n"
  const shown = (line: string) => (toTerminal ? visibleText(line) : line)
  return columns.length === 0 ? "" : lines.map((line) => shown(line.map(cell).join(",")) + end).join("")
}
