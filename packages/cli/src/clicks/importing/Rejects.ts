import type { InputRow } from "./InputRow.ts"

/** A row that was not imported, and why. */
export interface Rejection {
  readonly row: InputRow
  readonly reason: string
}

/**
 * The rejection as a line of NDJSON: the row's own columns, so that the mended file is imported with the same `--map` and
 * `--set`, beside `_line` and `_reason`. Of a row that could not be read, `_text` holds what stands there.
 */
export const rejectionLine = ({ reason, row }: Rejection): string => {
  const place = { _line: row.line, _reason: reason }
  const asText = () => `${JSON.stringify({ ...place, _text: Buffer.from(row.original).toString() })}\n`
  if (row._tag === "Unreadable") return asText()
  try {
    return `${JSON.stringify({ ...row.columns, ...place })}\n`
  } catch {
    // It was nested too deeply to be written again.
    return asText()
  }
}
