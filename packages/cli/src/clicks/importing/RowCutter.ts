import { type InputRow, maxRowBytes, type RowCutter } from "./InputRow.ts"

/** Line of the input at an index of the chunk. Indexes must not decrease. */
export type LineAt = (index: number) => number

/** Finds the rows of a format chunk by chunk, and keeps its state between chunks. */
export interface RowScanner {
  readonly lineEnd: number
  /** Whether the byte is skipped before and after a row. */
  readonly isPadding: (byte: number) => boolean
  /** Whether a row begins at `at`. Called between rows only. */
  readonly begins: (chunk: Buffer, at: number, lineAt: LineAt) => boolean
  /** Exclusive end of the open row, which has `size` bytes before `at`; -1 if the row goes on after the chunk. */
  readonly findEnd: (chunk: Buffer, at: number, size: number, lineAt: LineAt) => number
  /** Why the rest of the input cannot be read. */
  readonly damage: () => string | undefined
  /** Why the input cannot end here. */
  readonly damageAtEnd: (line: number) => string | undefined
}

const countOf = (byte: number, bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count++
  return count
}

/** Cuts an input into the rows that the scanner finds, without the first `headers` rows. */
export const rowCutter = (scanner: RowScanner, headers = 0): RowCutter => {
  let parts: Array<Buffer> = []
  let size = 0
  let isOpen = false
  let line = 1
  let rowLine = 1
  let skipped = 0

  const keep = (part: Buffer): void => {
    if (size < maxRowBytes) parts.push(part.subarray(0, maxRowBytes - size))
    size += part.length
  }

  const take = (): ReadonlyArray<InputRow> => {
    const [only, more] = parts
    const bytes = only === undefined || more !== undefined ? Buffer.concat(parts) : only
    let end = bytes.length
    while (scanner.isPadding(bytes[end - 1] ?? 0)) end--
    const row = { line: rowLine, original: bytes.subarray(0, end), isCutOff: size > maxRowBytes }
    parts = []
    size = 0
    isOpen = false
    return skipped++ < headers ? [] : [row]
  }

  return {
    push: (chunk) => {
      const rows: Array<InputRow> = []
      let counted = 0
      const lineAt: LineAt = (index) => {
        line += countOf(scanner.lineEnd, chunk.subarray(counted, index))
        counted = index
        return line
      }
      for (let at = 0; at < chunk.length && scanner.damage() === undefined; ) {
        if (isOpen) {
          const end = scanner.findEnd(chunk, at, size, lineAt)
          const next = end === -1 ? chunk.length : end
          keep(chunk.subarray(at, next))
          if (end !== -1) rows.push(...take())
          at = next
        } else if (scanner.isPadding(chunk[at] ?? 0) || !scanner.begins(chunk, at, lineAt)) at++
        else {
          isOpen = true
          rowLine = lineAt(at)
        }
      }
      lineAt(chunk.length)
      return rows
    },
    end: () => {
      const damage = scanner.damage() ?? scanner.damageAtEnd(line)
      return damage === undefined ? { rows: isOpen ? take() : [] } : { rows: [], damage }
    }
  }
}
