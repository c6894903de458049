import { isUtf8 } from "node:buffer"
import { Result } from "effect"

/** An unparsed row of the input. */
export interface InputRow {
  /** Line of the input on which the row begins, from 1. */
  readonly line: number
  /** The bytes of the row, at most `maxRowBytes`. */
  readonly original: Buffer
  readonly isCutOff: boolean
}

/** The values of a row by column (CSV) or by key (JSON). */
export type Columns = Readonly<Record<string, unknown>>

/**
 * Cuts an input into rows without parsing them, so that an invalid row is rejected alone and with its original bytes. No library does
 * this: `csv-parse`, `stream-json` and the decoders of `effect/encoding` end at an invalid row or drop its bytes, and
 * `node:readline` holds a line of any length. Holds at most one row of `maxRowBytes` between calls.
 */
export interface RowCutter {
  /** The rows that these bytes complete. */
  readonly push: (bytes: Buffer) => ReadonlyArray<InputRow>
  /** The rows that the end of the input completes. `damage`: the reason why the input cannot end here. */
  readonly end: () => { readonly rows: ReadonlyArray<InputRow>; readonly damage?: string }
}

/** How an input is cut into rows and how a row is parsed. `parse` fails with the reason why the row is invalid. */
export interface RowFormat {
  readonly cutter: () => RowCutter
  readonly parse: (original: Buffer) => Result.Result<Columns, string>
}

/**
 * Rows of exported clicks are shorter: a body has at most 1 MiB, headers have at most 16 KiB, and an export writes at most two bytes
 * for each. A longer row means that the file is broken.
 */
export const maxRowBytes = 2 * 1024 * 1024

/** The columns of a row. Fails with the reason why the row is invalid. */
export const readRow = (
  { parse }: RowFormat,
  { isCutOff, original }: InputRow
): Result.Result<Columns, string> => {
  if (isCutOff) return Result.fail("is longer than 2 MiB")
  return isUtf8(original) ? parse(original) : Result.fail("is not valid UTF-8")
}
