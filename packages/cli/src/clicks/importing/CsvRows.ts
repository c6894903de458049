import { isUtf8 } from "node:buffer"
import { unguard } from "@clicks/http/clicks/ClickCsv"
import { manyRecordCells } from "./CsvCells.ts"
import { type CsvRecord, csvRecordJoiner } from "./CsvRecords.ts"
import { type InputRow, notUtf8, type RowReader, tooLong, unreadable } from "./InputRow.ts"
import { lineSplitter } from "./LineSplitter.ts"

const whyUnreadable = ({ bytes, isCutOff, isUnclosed }: CsvRecord): string | undefined => {
  if (isCutOff) return tooLong
  if (isUnclosed) return "has a quote that is not closed"
  return isUtf8(bytes) ? undefined : notUtf8
}

const toColumns = (
  header: ReadonlyArray<string>,
  cells: ReadonlyArray<string>
): Readonly<Record<string, string>> => {
  const columns: Record<string, string> = {}
  for (const [index, name] of header.entries()) columns[name] = unguard(cells[index] ?? "")
  return columns
}

const toRow = (
  record: CsvRecord,
  header: ReadonlyArray<string>,
  cells: ReadonlyArray<string> | undefined
): InputRow => {
  if (cells === undefined) return unreadable(record.line, "is not CSV", record.bytes)
  if (cells.length !== header.length) {
    const reason = `has ${cells.length} cells where the header has ${header.length}`
    return unreadable(record.line, reason, record.bytes)
  }
  return {
    _tag: "Readable",
    line: record.line,
    columns: toColumns(header, cells),
    original: record.bytes
  }
}

/** Reads a CSV file whose first record is the header, which is known already and passed over here. */
export const csvRows = (delimiter: string, header: ReadonlyArray<string>): RowReader => {
  const lines = lineSplitter()
  const joiner = csvRecordJoiner(delimiter)
  let isHeaderPassed = false

  const toRows = (found: ReadonlyArray<CsvRecord>): ReadonlyArray<InputRow> => {
    const filled = found.filter((record) => record.bytes.length > 0)
    const records = isHeaderPassed ? filled : filled.slice(1)
    isHeaderPassed ||= filled.length > 0
    const reasons = records.map(whyUnreadable)
    const readable = records.filter((_, index) => reasons[index] === undefined)
    const cells = manyRecordCells(
      readable.map((record) => record.bytes),
      delimiter
    ).values()
    return records.map((record, index) => {
      const reason = reasons[index]
      return reason === undefined
        ? toRow(record, header, cells.next().value)
        : unreadable(record.line, reason, record.bytes)
    })
  }

  return {
    push: (bytes) => toRows(joiner.push(lines.push(bytes))),
    end: () => ({ rows: [...toRows(joiner.push(lines.end())), ...toRows(joiner.end())] })
  }
}
