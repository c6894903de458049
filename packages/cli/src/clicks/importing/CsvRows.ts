import { isUtf8 } from "node:buffer"
import { isExport, unguard } from "@clicks/http/clicks/ClickCsv"
import { recordCells } from "./CsvCells.ts"
import { type CsvRecord, csvRecordReader, type LineEnd } from "./CsvRecords.ts"
import { type InputRow, notUtf8, type RowReader, readable, tooLong, unreadable } from "./InputRow.ts"

const whyUnreadable = ({ bytes, isCutOff }: CsvRecord): string | undefined => {
  if (isCutOff) return tooLong
  return isUtf8(bytes) ? undefined : notUtf8
}

const unclosed = (line: number): string =>
  `the quote on line ${line} is not closed, so the rest of the file was not read. Fix the quote`

type Columns = Readonly<Record<string, string>>

/** Names the cells of a record. In a foreign file every apostrophe is the text's own. */
const columnsBy = (header: ReadonlyArray<string>): ((cells: ReadonlyArray<string>) => Columns) => {
  const text = isExport(header) ? unguard : (cell: string) => cell
  return (cells) => {
    const columns: Record<string, string> = {}
    for (const [index, name] of header.entries()) columns[name] = text(cells[index] ?? "")
    return columns
  }
}

/** Reads a CSV file whose first record is the header, which is known already and passed over here. */
export const csvRows = (delimiter: string, lineEnd: LineEnd, header: ReadonlyArray<string>): RowReader => {
  const reader = csvRecordReader(delimiter, lineEnd)
  let isHeaderPassed = false

  const columnsOf = columnsBy(header)
  const readAgain = (original: Uint8Array) => columnsOf(recordCells(original, delimiter) ?? [])

  const toRow = (record: CsvRecord): InputRow => {
    const { bytes, line } = record
    const reason = whyUnreadable(record)
    if (reason !== undefined) return unreadable(line, reason, bytes)
    const cells = recordCells(bytes, delimiter)
    if (cells === undefined) return unreadable(line, "is not CSV", bytes)
    return cells.length === header.length
      ? readable(line, bytes, columnsOf(cells), readAgain)
      : unreadable(line, `has ${cells.length} cells, but the header has ${header.length}`, bytes)
  }

  const toRows = (found: ReadonlyArray<CsvRecord>): ReadonlyArray<InputRow> => {
    const filled = found.filter((record) => record.bytes.length > 0)
    const records = isHeaderPassed ? filled : filled.slice(1)
    isHeaderPassed ||= filled.length > 0
    return records.map(toRow)
  }

  return {
    push: (bytes) => toRows(reader.push(bytes)),
    end: () => {
      const { openedOn, records } = reader.end()
      const rows = toRows(records)
      return openedOn === undefined ? { rows } : { rows, damage: unclosed(openedOn) }
    }
  }
}
