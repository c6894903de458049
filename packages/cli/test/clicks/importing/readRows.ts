import { Result } from "effect"
import { detectFormat, rowReader } from "../../../src/clicks/importing/InputFormat.ts"
import type { InputRow } from "../../../src/clicks/importing/InputRow.ts"

export interface Read {
  readonly rows: ReadonlyArray<InputRow>
  readonly damage: string | undefined
  /** How many rows had come before the end was known. */
  readonly early: number
}

const bytesOf = (input: string | Uint8Array): Uint8Array =>
  typeof input === "string" ? Buffer.from(input) : input

/** Reads an input that comes in pieces of `size` bytes. */
export const readRows = (input: string | Uint8Array, size = 7, delimiter?: string): Read => {
  const bytes = bytesOf(input)
  const format = detectFormat(
    bytes,
    (column) => ["product_id", "action", "source"].includes(column),
    delimiter
  )
  const reader = rowReader(Result.getOrThrow(format))
  const rows: Array<InputRow> = []
  for (let start = 0; start < bytes.length; start += size) {
    rows.push(...reader.push(bytes.subarray(start, start + size)))
  }
  const end = reader.end()
  return { rows: [...rows, ...end.rows], damage: end.damage, early: rows.length }
}

/** Each row in short: its line, and its columns or why it cannot be read. */
export const inShort = ({ rows }: Read): ReadonlyArray<readonly [number, unknown]> =>
  rows.map((row) => [row.line, row._tag === "Readable" ? { ...row.columns } : row.reason])
