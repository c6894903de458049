import type { InputRow, RowReader } from "./InputRow.ts"
import { tooLong, unreadable } from "./InputRow.ts"
import { readJsonRow } from "./JsonRow.ts"
import { type Line, lineSplitter } from "./LineSplitter.ts"

const isBlank = ({ bytes }: Line): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)

const toRow = ({ bytes, isCutOff, line }: Line): InputRow =>
  isCutOff ? unreadable(line, tooLong, bytes) : readJsonRow(line, bytes)

const toRows = (lines: ReadonlyArray<Line>): ReadonlyArray<InputRow> =>
  lines.filter((line) => !isBlank(line)).map(toRow)

/** Reads newline-delimited JSON: an object a line. */
export const ndjsonRows = (): RowReader => {
  const splitter = lineSplitter()
  return {
    push: (bytes) => toRows(splitter.push(bytes)),
    end: () => ({ rows: toRows(splitter.end()) })
  }
}
