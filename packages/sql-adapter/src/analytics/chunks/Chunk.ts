import type { Column } from "../../clicks/counting/chunkColumns.ts"

/** The first and the last instant of clicks. */
export interface Span {
  readonly low: number
  readonly high: number
}

/** Clicks by column. */
export interface Chunk extends Span {
  readonly n: number
  /** The instant that `at` counts from. */
  readonly middle: number
  /** Whether all clicks have the values of the filter. */
  readonly isFiltered: boolean
  /** The positions of clicks in the order to visit them; undefined for any order. */
  readonly order: Column | undefined
  /** The requested columns. */
  readonly columns: Columns
}

export type Columns = { readonly [column: string]: Column | undefined }

/** A requested column. */
export const columnOf = ({ columns }: Chunk, name: string): Column => {
  const column = columns[name]
  if (column === undefined) throw new Error(`Column ${name} was not read`)
  return column
}
