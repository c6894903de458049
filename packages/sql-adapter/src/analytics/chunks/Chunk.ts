/** Clicks by column. */
export interface Chunk {
  readonly n: number
  /** The instant that `at` counts from. */
  readonly middle: number
  /** The first and the last instant. */
  readonly low: number
  readonly high: number
  /** Whether all clicks have the values of the filter. */
  readonly isFiltered: boolean
  /** The requested columns: a value per click. */
  readonly columns: Columns
}

export type Columns = { readonly [column: string]: Int32Array | Uint8Array | undefined }

/** A column from the bytes that PostgreSQL sends: 4 per click, the highest first, or 1. */
export const readColumn = (bytes: Uint8Array, n: number): Int32Array | Uint8Array => {
  if (bytes.length === n) return bytes
  const own = new Uint8Array(bytes)
  Buffer.from(own.buffer).swap32()
  return new Int32Array(own.buffer)
}

/** A requested column. */
export const columnOf = ({ columns }: Chunk, name: string): Int32Array | Uint8Array => {
  const column = columns[name]
  if (column === undefined) throw new Error(`Column ${name} was not read`)
  return column
}
