import { pageSize } from "../SpoolSpace.ts"

/**
 * Reads the records of a table's leaf page (sqlite.org/fileformat2.html, "B-tree Pages" and "Record Format"). Whatever does
 * not add up is left out.
 */

export type Value = number | string | Uint8Array | null

export interface TableRecord {
  readonly rowid: number
  readonly values: ReadonlyArray<Value>
}

type ReadPage = (number: number) => Uint8Array | undefined

const leafOfTable = 0x0d
const mostInPlace = pageSize - 35
const leastInPlace = Math.floor(((pageSize - 12) * 32) / 255) - 23
const perOverflowPage = pageSize - 4
// A body is at most 64 KiB (1 MiB for many); a record that claims more is not one.
const largestRecord = 16 * 1024 * 1024

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** A variable-length integer, and where it ends. */
const readVarint = (bytes: Uint8Array, at: number): readonly [number, number] => {
  let value = 0
  for (let index = 0; index < 8; index++) {
    const byte = bytes[at + index] ?? 0
    value = value * 128 + (byte & 0x7f)
    if (byte < 0x80) return [value, at + index + 1]
  }
  return [value * 256 + (bytes[at + 8] ?? 0), at + 9]
}

const inPlace = (length: number): number => {
  if (length <= mostInPlace) return length
  const wanted = leastInPlace + ((length - leastInPlace) % perOverflowPage)
  return wanted <= mostInPlace ? wanted : leastInPlace
}

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** The record that begins at `at`, put together from the pages it goes on in. */
const readPayload = (
  page: Uint8Array,
  at: number,
  length: number,
  readPage: ReadPage
): Uint8Array | undefined => {
  const local = inPlace(length)
  if (at + local > page.length) return undefined
  const payload = new Uint8Array(length)
  payload.set(page.subarray(at, at + local))
  let done = local
  let next = local < length ? at + local : undefined
  let from = page
  while (done < length && next !== undefined && next + 4 <= from.length) {
    const more = readPage(viewOf(from).getUint32(next))
    if (more === undefined) return undefined
    const part = more.subarray(4, 4 + length - done)
    payload.set(part, done)
    done += part.length
    from = more
    next = 0
  }
  return done === length ? payload : undefined
}

const integerSizes = [0, 1, 2, 3, 4, 6, 8]

const readInteger = (bytes: Uint8Array): number => {
  const magnitude = bytes.reduce((value, byte) => value * 256 + byte, 0)
  return (bytes[0] ?? 0) < 0x80 ? magnitude : magnitude - 256 ** bytes.length
}

const sizeOf = (type: number): number | undefined => {
  if (type >= 12) return (type - (type % 2 === 0 ? 12 : 13)) / 2
  return type === 8 || type === 9 ? 0 : integerSizes[type]
}

const toValue = (type: number, bytes: Uint8Array): Value => {
  if (type === 0) return null
  if (type === 8 || type === 9) return type - 8
  if (type < 12) return readInteger(bytes)
  return type % 2 === 0 ? bytes.slice() : decoder.decode(bytes)
}

const readValues = (payload: Uint8Array): ReadonlyArray<Value> | undefined => {
  const [headerLength, start] = readVarint(payload, 0)
  if (headerLength > payload.length) return undefined
  const values: Array<Value> = []
  let body = headerLength
  for (let at = start; at < headerLength; ) {
    const [type, next] = readVarint(payload, at)
    const size = sizeOf(type)
    if (size === undefined || body + size > payload.length) return undefined
    values.push(toValue(type, payload.subarray(body, body + size)))
    body += size
    at = next
  }
  return values
}

/** The records of the page; none when it is not a leaf of a table. `readPage` gives the pages that long records go on in. */
export function* readRecords(page: Uint8Array, readPage: ReadPage): Generator<TableRecord> {
  if (page[0] !== leafOfTable) return
  const view = viewOf(page)
  const cells = Math.min(view.getUint16(3), (pageSize - 8) / 2)
  for (let index = 0; index < cells; index++) {
    const [length, afterLength] = readVarint(page, view.getUint16(8 + 2 * index))
    const [rowid, start] = readVarint(page, afterLength)
    if (length > largestRecord || !Number.isSafeInteger(rowid)) continue
    const payload = readPayload(page, start, length, readPage)
    const values = payload && readValues(payload)
    if (values !== undefined) yield { rowid, values }
  }
}
