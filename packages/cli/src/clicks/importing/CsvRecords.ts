import { boundedBytes } from "./BoundedBytes.ts"
import { maxRowBytes } from "./InputRow.ts"

/** A record of a CSV file: one line, or several where a quoted cell holds line ends. */
export interface CsvRecord {
  /** Line on which it begins, from 1. */
  readonly line: number
  /** Without the line end. At most the first `maxRowBytes`. */
  readonly bytes: Uint8Array
  readonly isCutOff: boolean
}

export interface CsvRecordReader {
  /** The records that these bytes complete; none any more once a quoted cell has grown beyond `maxRowBytes`. */
  readonly push: (bytes: Uint8Array) => ReadonlyArray<CsvRecord>
  /** The record that ends with the input, or the line of the quote that nothing closes within `maxRowBytes`. */
  readonly end: () => { readonly records: ReadonlyArray<CsvRecord>; readonly openedOn?: number }
}

/** What stands behind each record. A carriage return before the line feed is none of the record's. */
export type LineEnd = "\n" | "\r"

type Place = "cell start" | "plain" | "quoted" | "behind a quote"

const quote = 0x22
const carriageReturn = 0x0d

const withoutCarriageReturn = (bytes: Uint8Array): Uint8Array =>
  bytes[bytes.length - 1] === carriageReturn ? bytes.subarray(0, -1) : bytes

/** Tells where in a record a place is. Each byte is looked at once, of most pieces only whether there is a quote. */
const placeFinder = (delimiter: number) => {
  let place: Place = "cell start"
  let lastClosed = -1
  let hasOpened = false

  const step = (byte: number | undefined): void => {
    if (place === "quoted") place = byte === quote ? "behind a quote" : "quoted"
    else if (byte === quote && place !== "plain") {
      hasOpened ||= place === "cell start"
      place = "quoted"
    } else place = byte === delimiter ? "cell start" : "plain"
  }

  return {
    place: () => place,
    /** Where in the bytes that were walked last a quoted cell ended at last; -1 when none did. */
    lastClosed: () => lastClosed,
    /** Whether one began there. */
    hasOpened: () => hasOpened,
    begin: () => {
      place = "cell start"
    },
    walk: (bytes: Uint8Array, start: number, end: number, hasQuote: boolean): void => {
      lastClosed = -1
      hasOpened = false
      const isStraight = !hasQuote && place !== "behind a quote"
      if (isStraight && place === "quoted") return
      for (let index = isStraight ? Math.max(start, end - 1) : start; index < end; index++) {
        step(bytes[index])
        if (place === "behind a quote") lastClosed = index
      }
    }
  }
}

/**
 * Cuts a CSV file into records. What stands behind a quote is part of its cell, however many lines it goes on: read as
 * records they would be clicks that whoever wrote the cell has forged. So when the quote is never closed, nothing behind it
 * is read. `delimiter` is one ASCII character.
 */
export const csvRecordReader = (delimiter: string, lineEnd: LineEnd): CsvRecordReader => {
  const held = boundedBytes(maxRowBytes)
  const finder = placeFinder(delimiter.charCodeAt(0))
  let heldBytes = 0
  let line = 1
  let recordLine = 1
  let quoteLine = 1
  let isRunaway = false

  const keep = (bytes: Uint8Array): void => {
    held.keep(bytes)
    heldBytes += bytes.length
  }

  const take = (): CsvRecord => {
    const { bytes, isCutOff } = held.take()
    const record = {
      line: recordLine,
      bytes: lineEnd === "\n" ? withoutCarriageReturn(bytes) : bytes,
      isCutOff
    }
    heldBytes = 0
    recordLine = line
    finder.begin()
    return record
  }

  const push = (bytes: Uint8Array): ReadonlyArray<CsvRecord> => {
    const records: Array<CsvRecord> = []
    const lineEndByte = lineEnd.charCodeAt(0)
    let nextQuote = bytes.indexOf(quote)
    let start = 0
    for (let from = 0; from < bytes.length && !isRunaway; ) {
      const found = bytes.indexOf(lineEndByte, from)
      const end = found === -1 ? bytes.length : found
      if (nextQuote !== -1 && nextQuote < from) nextQuote = bytes.indexOf(quote, from)
      finder.walk(bytes, from, end, nextQuote !== -1 && nextQuote < end)
      const isQuoted = finder.place() === "quoted"
      if (finder.hasOpened()) quoteLine = line
      const quotedEnd = isQuoted ? end : finder.lastClosed()
      if (quotedEnd !== -1 && quotedEnd - start + heldBytes > maxRowBytes) isRunaway = true
      else if (found !== -1) {
        line++
        if (!isQuoted) {
          keep(bytes.subarray(start, end))
          records.push(take())
          start = end + 1
        }
      }
      from = end + 1
    }
    if (!isRunaway) keep(bytes.subarray(start))
    return records
  }

  return {
    push: (bytes) => (isRunaway ? [] : push(bytes)),
    end: () => {
      if (isRunaway || finder.place() === "quoted") return { records: [], openedOn: quoteLine }
      return { records: heldBytes > 0 ? [take()] : [] }
    }
  }
}
