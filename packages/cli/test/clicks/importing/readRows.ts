import { Result } from "effect"
import { detectFormat, rowFormat } from "../../../src/clicks/importing/InputFormat.ts"
import { type Columns, type InputRow, readRow } from "../../../src/clicks/importing/InputRow.ts"

interface ReadRow extends InputRow {
  /** The columns, or the reason why the row is invalid. */
  readonly read: Columns | string
}

export interface Read {
  readonly rows: ReadonlyArray<ReadRow>
  readonly damage: string | undefined
}

/** Reads an input in pieces of `size` bytes. */
export const readRows = (input: string | Buffer, size = 7, delimiter?: string): Read => {
  const bytes = Buffer.from(input)
  const isKnown = (column: string) => ["product_id", "action", "source"].includes(column)
  const format = rowFormat(Result.getOrThrow(detectFormat(bytes, isKnown, delimiter)))
  const cutter = format.cutter()
  const rows: Array<InputRow> = []
  for (let start = 0; start < bytes.length; start += size)
    rows.push(...cutter.push(bytes.subarray(start, start + size)))
  const end = cutter.end()
  return {
    rows: [...rows, ...end.rows].map((row) => ({ ...row, read: Result.merge(readRow(format, row)) })),
    damage: end.damage
  }
}

/** The line of each row and its columns, or the reason why it is invalid. */
export const inShort = ({ rows }: Read): ReadonlyArray<readonly [number, Columns | string]> =>
  rows.map(({ line, read }) => [line, typeof read === "string" ? read : { ...read }])
