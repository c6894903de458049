import { isExport, unguard } from "@clicks/http/clicks/ClickCsv"
import { Result } from "effect"
import { countOf } from "../../terminal/format.ts"
import { type InputRow, mapRows, type RowCutter, type RowFormat } from "./InputRow.ts"
import { recordCutter } from "./RecordCutter.ts"

/** What ends a record. A carriage return before a line feed is not part of the record. */
export type LineEnd = "\n" | "\r"

export interface CsvSyntax {
  /** One ASCII character. */
  readonly delimiter: string
  readonly lineEnd: LineEnd
}

const quote = 0x22
const carriageReturn = 0x0d

/** Index of the quote that closes the cell whose text begins at `from`; -1 when none does. */
const closingQuote = (bytes: Buffer, from: number): number => {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] !== quote) continue
    if (bytes[at + 1] !== quote) return at
    at++
  }
  return -1
}

interface Cell {
  readonly start: number
  readonly end: number
  /** Index of the quote that closes it; -1 when it is not quoted. */
  readonly close: number
}

/** Passes over the record at `start`. A quote opens a cell only as its first byte; in other places it is text. */
const walkRecord = (
  bytes: Buffer,
  start: number,
  limit: number,
  { delimiter, lineEnd }: CsvSyntax,
  onCell: (cell: Cell) => void = () => {}
): { readonly end: number; readonly openQuote: number } => {
  const [delimiterByte, lineEndByte] = [delimiter.charCodeAt(0), lineEnd.charCodeAt(0)]
  for (let at = start, end = start; ; at = ++end) {
    const isQuoted = bytes[at] === quote
    const close = isQuoted ? closingQuote(bytes, at + 1) : -1
    if (isQuoted && (close === -1 || close > limit)) return { end: -1, openQuote: at }
    if (isQuoted) end = close + 1
    while (end < bytes.length && bytes[end] !== delimiterByte && bytes[end] !== lineEndByte) end++
    onCell({ start: at, end, close })
    if (end === bytes.length) return { end: -1, openQuote: -1 }
    if (bytes[end] === lineEndByte) return { end, openQuote: -1 }
  }
}

/** The text of a cell. Text behind the closing quote makes the quotes part of the text. */
const textOf = (slice: (start: number, end: number) => string, { close, end, start }: Cell): string => {
  if (close === -1) return slice(start, end)
  const inner = slice(start + 1, close)
  const text = inner.includes('"') ? inner.replaceAll('""', '"') : inner
  return close + 1 === end ? text : `"${text}${slice(close, end)}`
}

/** The cells of a record in UTF-8, as `csv-parse` finds them, which takes three to five times as much processor time. */
export const recordCells = (record: Buffer, syntax: CsvSyntax): ReadonlyArray<string> => {
  const text = record.toString()
  if (!text.includes('"')) return text.split(syntax.delimiter)
  const isAscii = text.length === record.length
  const slice = (start: number, end: number) =>
    isAscii ? text.slice(start, end) : record.toString("utf8", start, end)
  const cells: Array<string> = []
  walkRecord(record, 0, record.length, syntax, (cell) => cells.push(textOf(slice, cell)))
  return cells
}

/** Cuts a CSV file into its records, without empty ones. The first is the header. */
export const csvRecords = (syntax: CsvSyntax): RowCutter => {
  const lineEnd = syntax.lineEnd.charCodeAt(0)
  const cutter = recordCutter({
    lineEnd,
    delimiter: syntax.delimiter.charCodeAt(0),
    findEnd: (bytes, start, limit) => {
      const end = bytes.indexOf(lineEnd, start)
      const hasQuote = bytes.subarray(start, end === -1 ? bytes.length : end).includes(quote)
      return hasQuote ? walkRecord(bytes, start, limit, syntax).end : end
    },
    openQuote: (bytes, limit) => (bytes.includes(quote) ? walkRecord(bytes, 0, limit, syntax).openQuote : -1)
  })
  const trimmed = (row: InputRow): InputRow =>
    syntax.lineEnd === "\n" && row.original.at(-1) === carriageReturn
      ? { ...row, original: row.original.subarray(0, -1) }
      : row
  return mapRows(cutter, (rows) => rows.map(trimmed).filter(({ original }) => original.length > 0))
}

/** CSV whose first record is the header, which is known already. */
export const csvFormat = (syntax: CsvSyntax, header: ReadonlyArray<string>): RowFormat => {
  // In files that are no exports, an apostrophe is part of the text.
  const text = isExport(header) ? unguard : (cell: string) => cell
  return {
    cutter: () => {
      let isHeaderRead = false
      return mapRows(csvRecords(syntax), (rows) => {
        const rest = isHeaderRead ? rows : rows.slice(1)
        isHeaderRead ||= rows.length > 0
        return rest
      })
    },
    parse: (original) => {
      const cells = recordCells(original, syntax)
      if (cells.length !== header.length)
        return Result.fail(`has ${countOf(cells.length, "cell")}, but the header has ${header.length}`)
      const columns: Record<string, string> = {}
      for (const [index, name] of header.entries()) columns[name] = text(cells[index] ?? "")
      return Result.succeed(columns)
    }
  }
}
