import { Result } from "effect"
import { recordCells } from "./CsvCells.ts"
import { csvRecordReader, type LineEnd } from "./CsvRecords.ts"
import { csvRows } from "./CsvRows.ts"
import type { RowReader } from "./InputRow.ts"
import { jsonArrayRows } from "./JsonArrayRows.ts"
import { ndjsonRows } from "./NdjsonRows.ts"

/** How the rows of an input are written. */
export type InputFormat =
  | {
      readonly _tag: "Csv"
      readonly delimiter: string
      readonly lineEnd: LineEnd
      readonly header: ReadonlyArray<string>
    }
  | { readonly _tag: "Ndjson" }
  | { readonly _tag: "JsonArray" }
  | { readonly _tag: "Empty" }

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d
const sampleBytes = 64 * 1024

/**
 * Whether a beginning is enough to tell the format by: it has a whole line, of which no quoted cell goes on, or is long. A
 * pipe that gives a line now and then is not waited for.
 */
export const tellsFormat = (bytes: Uint8Array): boolean => {
  if (bytes.length >= sampleBytes) return true
  let isQuoted = false
  let isBlank = true
  for (const byte of bytes) {
    if (byte === quote) isQuoted = !isQuoted
    else if (byte === lineFeed && !isQuoted && !isBlank) return true
    if (byte > 0x20) isBlank = false
  }
  return false
}

const delimiters = [",", ";", "\t", "|"] as const

const signatures: ReadonlyArray<readonly [name: string, bytes: ReadonlyArray<number>]> = [
  ["a ZIP archive or an Excel workbook (save the sheet as CSV)", [0x50, 0x4b, 0x03, 0x04]],
  ["UTF-16 text (save it as UTF-8)", [0xff, 0xfe]],
  ["UTF-16 text (save it as UTF-8)", [0xfe, 0xff]],
  ["compressed with zstd (unpack it, or use gzip)", [0x28, 0xb5, 0x2f, 0xfd]],
  ["compressed with xz (unpack it, or use gzip)", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ["compressed with bzip2 (unpack it, or use gzip)", [0x42, 0x5a, 0x68]],
  ["a Parquet file", [0x50, 0x41, 0x52, 0x31]],
  ["a PDF file", [0x25, 0x50, 0x44, 0x46]],
  ["a PNG image", [0x89, 0x50, 0x4e, 0x47]],
  ["a JPEG image", [0xff, 0xd8, 0xff]]
]

const formats = "CSV with a header row, NDJSON (one object per line) or a JSON array, optionally gzipped"

const foreign = (sample: Uint8Array): string | undefined => {
  const [name] = signatures.find(([, bytes]) => bytes.every((byte, index) => sample[index] === byte)) ?? []
  if (name !== undefined) return `is ${name}; expected ${formats}`
  return sample.includes(0) ? `is binary data; expected ${formats}` : undefined
}

/** Old spreadsheets end lines with a carriage return alone: then no line feed stands outside of quotes. */
const lineEndOf = (sample: Uint8Array): LineEnd => {
  let isQuoted = false
  let hasCarriageReturn = false
  for (const byte of sample) {
    if (byte === quote) isQuoted = !isQuoted
    else if (byte === lineFeed && !isQuoted) return "\n"
    else if (byte === carriageReturn && !isQuoted) hasCarriageReturn = true
  }
  return hasCarriageReturn ? "\r" : "\n"
}

const headerWith = (sample: Uint8Array, delimiter: string, lineEnd: LineEnd): ReadonlyArray<string> => {
  const reader = csvRecordReader(delimiter, lineEnd)
  const records = [...reader.push(sample), ...reader.end().records]
  const first = records.find((record) => record.bytes.length > 0)
  return (first && recordCells(first.bytes, delimiter)) ?? []
}

/**
 * Tells a format by the beginning of the input (without byte order mark). `isKnown` says which column names are looked for:
 * the delimiter is the one under which most of them appear in the header, then the one that makes most columns.
 *
 * Fails with what is wrong, to be said behind the input's name.
 */
export const detectFormat = (
  sample: Uint8Array,
  isKnown: (column: string) => boolean,
  delimiter: string | undefined
): Result.Result<InputFormat, string> => {
  const reason = foreign(sample)
  if (reason !== undefined) return Result.fail(reason)
  const text = Buffer.from(sample).toString().trimStart()
  if (text === "") return Result.succeed({ _tag: "Empty" })
  if (delimiter === undefined && text.startsWith("{")) return Result.succeed({ _tag: "Ndjson" })
  if (delimiter === undefined && /^\[\s*($|[[{\]"\d])/.test(text))
    return Result.succeed({ _tag: "JsonArray" })
  const lineEnd = lineEndOf(sample)
  const candidates = (delimiter === undefined ? delimiters : [delimiter]).map((candidate) => {
    const header = headerWith(sample, candidate, lineEnd)
    return { delimiter: candidate, header, known: header.filter(isKnown).length }
  })
  const [best] = candidates.toSorted((a, b) => b.known - a.known || b.header.length - a.header.length)
  if (best === undefined || best.header.length === 0)
    return Result.fail(`has no header row; expected ${formats}`)
  if (best.header.some((column) => column.includes("\uFFFD"))) return Result.fail(`is not UTF-8; ${formats}`)
  return Result.succeed({ _tag: "Csv", delimiter: best.delimiter, lineEnd, header: best.header })
}

/** What reads the rows of an input in this format. */
export const rowReader = (format: InputFormat): RowReader => {
  switch (format._tag) {
    case "Csv":
      return csvRows(format.delimiter, format.lineEnd, format.header)
    case "JsonArray":
      return jsonArrayRows()
    default:
      return ndjsonRows()
  }
}
