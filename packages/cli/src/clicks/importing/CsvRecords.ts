import { maxRowBytes } from "./InputRow.ts"
import type { Line } from "./LineSplitter.ts"

/** A record of a CSV file: one line, or several where a quoted cell holds line feeds. */
export interface CsvRecord extends Line {
  /** Whether it opens a quote that nothing closes. Such a record is one line. */
  readonly isUnclosed: boolean
}

export interface CsvRecordJoiner {
  readonly push: (lines: ReadonlyArray<Line>) => ReadonlyArray<CsvRecord>
  /** The records left over when the input ends inside a quote. */
  readonly end: () => ReadonlyArray<CsvRecord>
}

const quote = 0x22
const carriageReturn = 0x0d
const lineFeed = Buffer.from("\n")

// A stray quote opens a cell that never ends. The bounds say when to give it up, which is how much is read again then.
const maxLines = 1000
const maxBytes = maxRowBytes

/** Whether a quoted cell is open behind the line, given whether one was open before it. */
const isOpenBehind = (bytes: Uint8Array, delimiter: number, openBefore: boolean): boolean => {
  let open = openBefore
  let atCellStart = !openBefore
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]
    if (!open) {
      open = byte === quote && atCellStart
      atCellStart = byte === delimiter
    } else if (byte === quote) {
      if (bytes[index + 1] === quote) index++
      else open = false
    }
  }
  return open
}

const join = (lines: ReadonlyArray<Line>): Uint8Array => {
  const [first] = lines
  return lines.length === 1 && first !== undefined
    ? first.bytes
    : Buffer.concat(lines.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [lineFeed, bytes])))
}

const toRecord = (lines: ReadonlyArray<Line>, isUnclosed: boolean): CsvRecord => {
  const bytes = join(lines)
  return {
    line: lines[0]?.line ?? 0,
    bytes: bytes[bytes.length - 1] === carriageReturn ? bytes.subarray(0, -1) : bytes,
    isCutOff: lines.some((line) => line.isCutOff),
    isUnclosed
  }
}

/**
 * Joins the lines of a CSV file to records. When a quote turns out not to be closed, only its own line is lost: the lines
 * behind it are read again, each as the beginning of a record. `delimiter` is one ASCII character.
 */
export const csvRecordJoiner = (delimiter: string): CsvRecordJoiner => {
  const delimiterByte = delimiter.charCodeAt(0)
  const held: Array<Line> = []
  let heldBytes = 0

  const release = (): Array<Line> => {
    heldBytes = 0
    return held.splice(0)
  }

  /** Whether the line ends the record that it begins or continues. */
  const isComplete = ({ bytes, isCutOff }: Line): boolean => {
    if (held.length > 0) return !isCutOff && !isOpenBehind(bytes, delimiterByte, true)
    return isCutOff || !bytes.includes(quote) || !isOpenBehind(bytes, delimiterByte, false)
  }

  const isHopeless = (line: Line): boolean => line.isCutOff || held.length >= maxLines || heldBytes > maxBytes

  const read = (lines: ReadonlyArray<Line>, atEnd: boolean): ReadonlyArray<CsvRecord> => {
    const records: Array<CsvRecord> = []
    const waiting = lines.toReversed()
    const giveUp = () => {
      const [first, ...rest] = release()
      if (first !== undefined) records.push(toRecord([first], true))
      waiting.push(...rest.reverse())
    }
    while (waiting.length > 0 || (atEnd && held.length > 0)) {
      const line = waiting.pop()
      if (line === undefined) {
        giveUp()
        continue
      }
      const complete = isComplete(line)
      if (complete && held.length === 0) {
        records.push(toRecord([line], false))
        continue
      }
      held.push(line)
      heldBytes += line.bytes.length
      if (complete) records.push(toRecord(release(), false))
      else if (isHopeless(line)) giveUp()
    }
    return records
  }

  return { push: (lines) => read(lines, false), end: () => read([], true) }
}
