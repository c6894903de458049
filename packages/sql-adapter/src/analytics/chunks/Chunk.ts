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

// A bitmap of so many visitors takes 8 kB: those of a hundred groups fit into the caches of a processor.
const visitorsPerSlice = 65_536

const clicksPerSlice = 8192

const sliceOf = (chunk: Chunk, first: number, end: number): Chunk => {
  const columns = Object.entries(chunk.columns).map(
    ([name, column]) => [name, column?.subarray(first, end)] as const
  )
  return { ...chunk, n: end - first, columns: Object.fromEntries(columns) }
}

/** The first position from `first` on whose visitor is not less than `visitor`. */
const positionOf = (visitors: Column, visitor: number, first: number): number => {
  let [low, high] = [first, visitors.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((visitors[middle] as number) < visitor) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Cuts chunks into slices of clicks that are counted together. With visitors, chunks are in their order, and the clicks of the same visitors
 * follow one another, whatever chunk they are of: sets of visitors are larger than the caches of the processor.
 */
export function* slicesOf(chunks: ReadonlyArray<Chunk>): Generator<Chunk> {
  const next = new Int32Array(chunks.length)
  const isWhole = () => chunks.every(({ n }, index) => next[index] === n)
  for (let visitor = visitorsPerSlice; !isWhole(); visitor += visitorsPerSlice)
    for (const [index, chunk] of chunks.entries()) {
      const { visitor: visitors } = chunk.columns
      const first = next[index] as number
      const end = visitors ? positionOf(visitors, visitor, first) : Math.min(chunk.n, first + clicksPerSlice)
      next[index] = end
      if (end > first) yield sliceOf(chunk, first, end)
    }
}
