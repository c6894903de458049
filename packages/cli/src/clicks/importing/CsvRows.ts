import { isUtf8 } from "node:buffer"
import { unguard } from "@clicks/http/clicks/ClickCsv"
import { recordCells } from "./CsvCells.ts"
import { type CsvRecord, csvRecordJoiner } from "./CsvRecords.ts"
import { type InputRow, notUtf8, type RowReader, readable, tooLong, unreadable } from "./InputRow.ts"
import { lineSplitter } from "./LineSplitter.ts"

const whyUnreadable = ({ bytes, isCutOff, isUnclosed }: CsvRecord): string | undefined => {
  if (isCutOff) return tooLong
  if (isUnclosed) return "has a quote that is not closed"
  return isUtf8(bytes) ? undefined : notUtf8
}

const columnsOf = (
  header: ReadonlyArray<string>,
  cells: ReadonlyArray<string>
): Readonly<Record<string, string>> => {
  const columns: Record<string, string> = {}
  for (const [index, name] of header.entries()) columns[name] = unguard(cells[index] ?? "")
  return columns
}

/** Reads a CSV file whose first record is the header, which is known already and passed over here. */
export const csvRows = (delimiter: string, header: ReadonlyArray<string>): RowReader => {
  const lines = lineSplitter()
  const joiner = csvRecordJoiner(delimiter)
  let isHeaderPassed = false

  const readAgain = (original: Uint8Array) => columnsOf(header, recordCells(original, delimiter) ?? [])

  const toRow = (record: CsvRecord): InputRow => {
    const { bytes, line } = record
    const reason = whyUnreadable(record)
    if (reason !== undefined) return unreadable(line, reason, bytes)
    const cells = recordCells(bytes, delimiter)
    if (cells === undefined) return unreadable(line, "is not CSV", bytes)
    return cells.length === header.length
      ? readable(line, bytes, columnsOf(header, cells), readAgain)
      : unreadable(line, `has ${cells.length} cells where the header has ${header.length}`, bytes)
  }

  const toRows = (found: ReadonlyArray<CsvRecord>): ReadonlyArray<InputRow> => {
    const filled = found.filter((record) => record.bytes.length > 0)
    const records = isHeaderPassed ? filled : filled.slice(1)
    isHeaderPassed ||= filled.length > 0
    return records.map(toRow)
  }

  return {
    push: (bytes) => toRows(joiner.push(lines.push(bytes))),
    end: () => ({ rows: [...toRows(joiner.push(lines.end())), ...toRows(joiner.end())] })
  }
}
