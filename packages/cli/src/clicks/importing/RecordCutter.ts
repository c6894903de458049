import { type InputRow, maxRowBytes, type RowCutter } from "./InputRow.ts"

const space = 0x20
const quoteByte = 0x22

/** How records end. */
export interface RecordSyntax {
  readonly lineEnd: number
  /** Byte after which a quote opens a cell. */
  readonly delimiter?: number
  /** Index of the line end behind the record at `start`; -1 when a cell is open at `limit` or the bytes do not complete the record. */
  readonly findEnd: (bytes: Buffer, start: number, limit: number) => number
  /** Index of the quote of the record at 0 that is not closed before `limit`; -1 when there is none. */
  readonly openQuote: (bytes: Buffer, limit: number) => number
}

const countOf = (byte: number, bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count++
  return count
}

/**
 * Cuts an input into lines, or into CSV records: a quoted cell may span lines. They are part of the cell, however many there are:
 * read as records, they would be clicks forged by the author of the cell. So nothing is read behind a quote that is never closed.
 */
export const recordCutter = ({ delimiter, findEnd, lineEnd, openQuote }: RecordSyntax): RowCutter => {
  let held: Buffer = Buffer.alloc(0)
  /** Beginning of a record that is too long, of which `dropped` bytes are no longer held. */
  let beginning: Buffer | undefined
  let dropped = 0
  let line = 1
  let recordLine = 1
  let damage: string | undefined

  const reportOpenQuote = (bytes: Buffer, quote: number): void => {
    const quoteLine = line + countOf(lineEnd, bytes.subarray(0, quote))
    damage = `the quote on line ${quoteLine} is not closed, so the rest of the file was not read. Fix the quote`
  }

  const take = (record: Buffer): InputRow => {
    const row = {
      line: recordLine,
      original: beginning ?? record.subarray(0, maxRowBytes),
      isCutOff: dropped + record.length > maxRowBytes
    }
    line += countOf(lineEnd, record) + 1
    recordLine = line
    beginning = undefined
    dropped = 0
    return row
  }

  const hold = (rest: Buffer): void => {
    held = rest
    if (dropped + rest.length <= maxRowBytes) return
    const limit = maxRowBytes - dropped
    const quote = openQuote(rest, limit)
    if (quote !== -1) reportOpenQuote(rest, quote)
    // A quote at the end closes its cell, or is the first of two: the next chunk decides.
    const isUndecided = () => openQuote(Buffer.concat([rest, Buffer.of(quoteByte)]), limit) !== -1
    if (quote !== -1 || (rest.at(-1) === quoteByte && isUndecided())) return
    beginning ??= Buffer.from(rest.subarray(0, maxRowBytes))
    line += countOf(lineEnd, rest)
    dropped += rest.length
    // Of what is dropped, only whether it ends before a cell matters, in case the next byte is a quote.
    held = Buffer.of(rest.at(-1) === delimiter ? (delimiter ?? space) : space)
  }

  return {
    push: (chunk) => {
      if (damage !== undefined) return []
      const rows: Array<InputRow> = []
      const isWhole = held.length === 0 || (dropped > 0 && chunk[0] !== quoteByte)
      const bytes = isWhole ? chunk : Buffer.concat([held, chunk])
      let start = 0
      for (
        let end = findEnd(bytes, start, maxRowBytes - dropped);
        end !== -1;
        end = findEnd(bytes, start, start + maxRowBytes)
      ) {
        rows.push(take(bytes.subarray(start, end)))
        start = end + 1
      }
      hold(bytes.subarray(start))
      return rows
    },
    end: () => {
      const quote = damage === undefined ? openQuote(held, maxRowBytes) : -1
      if (quote !== -1) reportOpenQuote(held, quote)
      if (damage !== undefined) return { rows: [], damage }
      return { rows: held.length > 0 ? [take(held)] : [] }
    }
  }
}
