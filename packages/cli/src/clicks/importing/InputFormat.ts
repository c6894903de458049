import { Result } from "effect"
import { type CsvSyntax, csvFormat, csvRecords, type LineEnd, recordCells } from "./CsvRows.ts"
import type { RowFormat } from "./InputRow.ts"
import { jsonArrayFormat, ndjsonFormat } from "./JsonRows.ts"

/** The format of an input. */
export type InputFormat =
  | ({ readonly _tag: "Csv"; readonly header: ReadonlyArray<string> } & CsvSyntax)
  | { readonly _tag: "Ndjson" }
  | { readonly _tag: "JsonArray" }
  | { readonly _tag: "Empty" }

const sampleBytes = 64 * 1024

/** The text with each quoted part replaced by x, because line ends in quotes do not end a line. */
const withoutQuoted = (sample: Buffer): string => sample.toString("latin1").replaceAll(/"[^"]*"?/g, "x")

/**
 * Whether the first bytes of an input suffice to detect its format: they contain a complete non-blank line, or are `sampleBytes` long.
 * Waiting for more would delay a pipe that delivers a line now and then.
 */
export const isEnoughForFormat = (beginning: Buffer): boolean =>
  beginning.length >= sampleBytes || withoutQuoted(beginning).trimStart().includes("\n")

const delimiters = [",", ";", "\t", "|"] as const

const signatures: ReadonlyArray<readonly [name: string, hex: string]> = [
  ["a ZIP archive or an Excel workbook (save the sheet as CSV)", "504b0304"],
  ["UTF-16 text (save it as UTF-8)", "fffe"],
  ["UTF-16 text (save it as UTF-8)", "feff"],
  ["compressed with zstd (unpack it, or use gzip)", "28b52ffd"],
  ["compressed with xz (unpack it, or use gzip)", "fd377a585a"],
  ["compressed with bzip2 (unpack it, or use gzip)", "425a68"]
]

const formats = "CSV with a header row, NDJSON (one object per line) or a JSON array, optionally gzipped"

const unsupportedReason = (sample: Buffer): string | undefined => {
  const [name] = signatures.find(([, hex]) => sample.toString("hex", 0, 8).startsWith(hex)) ?? []
  if (name !== undefined) return `is ${name}; expected ${formats}`
  return sample.includes(0) ? `is binary data; expected ${formats}` : undefined
}

/** Old spreadsheets end lines with a carriage return alone: their files have no line feed outside quotes. */
const lineEndOf = (sample: Buffer): LineEnd => {
  const text = withoutQuoted(sample)
  return text.includes("\r") && !text.includes("\n") ? "\r" : "\n"
}

const headerOf = (sample: Buffer, syntax: CsvSyntax): ReadonlyArray<string> => {
  const records = csvRecords(syntax)
  const [first] = [...records.push(sample), ...records.end().rows]
  return first === undefined ? [] : recordCells(first.original, syntax)
}

/**
 * Detects the format from the beginning of the input (without byte order mark). `isKnown` tests column names: the delimiter is
 * the one that yields most known columns in the header, then the one that yields most columns. Fails with a reason that continues
 * a sentence after the input's name.
 */
export const detectFormat = (
  sample: Buffer,
  isKnown: (column: string) => boolean,
  delimiter: string | undefined
): Result.Result<InputFormat, string> => {
  const reason = unsupportedReason(sample)
  if (reason !== undefined) return Result.fail(reason)
  const text = sample.toString().trimStart()
  if (text === "") return Result.succeed({ _tag: "Empty" })
  if (delimiter === undefined && text.startsWith("{")) return Result.succeed({ _tag: "Ndjson" })
  if (delimiter === undefined && /^\[\s*($|[[{\]"\d])/.test(text))
    return Result.succeed({ _tag: "JsonArray" })
  const lineEnd = lineEndOf(sample)
  const candidates = (delimiter === undefined ? delimiters : [delimiter]).map((candidate) => {
    const header = headerOf(sample, { delimiter: candidate, lineEnd })
    return { delimiter: candidate, header, known: header.filter(isKnown).length }
  })
  const [best] = candidates.toSorted((a, b) => b.known - a.known || b.header.length - a.header.length)
  if (best === undefined || best.header.length === 0)
    return Result.fail(`has no header row; expected ${formats}`)
  const { delimiter: detected, header } = best
  if (header.some((column) => column.includes("\uFFFD")))
    return Result.fail(`is not UTF-8; expected ${formats}`)
  return Result.succeed({ _tag: "Csv", delimiter: detected, lineEnd, header })
}

/** How the rows of an input in this format are cut and parsed. */
export const rowFormat = (format: InputFormat): RowFormat => {
  if (format._tag === "Csv") return csvFormat(format, format.header)
  return format._tag === "JsonArray" ? jsonArrayFormat : ndjsonFormat
}
