/** The first and the last instant of some clicks. */
export interface Span {
  readonly low: number
  readonly high: number
}

/** The values of a field: a code for each click, and the id of the value for each code. */
export interface Coded {
  readonly codes: Uint8Array | Uint16Array
  readonly values: Int32Array
}

/**
 * The visitors of clicks in the order of their ids: the last 16 bits of each id, and the position where each block of 65,536 ids begins,
 * followed by the end of the last block.
 */
export interface Visitors {
  readonly low: Uint16Array
  readonly starts: Int32Array
}

/** The sessions of clicks: a code for each click, and the hash for each code, NaN for no session. Empty if no click has a session. */
export interface Sessions {
  readonly codes: Uint16Array
  readonly values: Float64Array
}

export interface Columns {
  /** Milliseconds from the middle of the bin. */
  readonly at?: Int32Array
  readonly visitor?: Visitors
  readonly session?: Sessions
  readonly [name: string]: Column | undefined
}

export type Column = Coded | Sessions | Visitors | Int32Array

/** Clicks by column, in the order of their visitors. */
export interface Chunk extends Span {
  readonly n: number
  /** The instant from which `at` counts. */
  readonly middle: number
  /** Whether all clicks are known to match the values of the filter. */
  readonly isFiltered: boolean
  /** The requested columns. */
  readonly columns: Columns
}

const required = <A>(column: A | undefined, name: string): A => {
  if (column === undefined) throw new Error(`Column ${name} was not read`)
  return column
}

/** A requested column of a field, of actions or of quarters of an hour. */
export const codedOf = ({ columns }: Chunk, name: string): Coded => required(columns[name] as Coded, name)

export const timesOf = ({ columns }: Chunk): Int32Array => required(columns.at, "at")

export const visitorsOf = ({ columns }: Chunk): Visitors => required(columns.visitor, "visitor")

export const sessionsOf = ({ columns }: Chunk): Sessions => required(columns.session, "session")

/** Consecutive clicks of a chunk. */
export interface Slice {
  readonly chunk: Chunk
  readonly first: number
  readonly end: number
  /** The block of their visitors: an id is this number times 65,536 plus its last 16 bits. */
  readonly block: number
}

const clicksPerSlice = 8192

/**
 * Divides chunks into slices of clicks that are counted together. With visitors, slices of the same block come one after another, from all
 * chunks: sets of all visitors are larger than the processor's caches, but the visitors of a group in one block are a bitmap of 8 kB.
 */
export function* slicesOf(chunks: ReadonlyArray<Chunk>): Generator<Slice> {
  const starts = chunks.map(({ columns }) => columns.visitor?.starts ?? [])
  const blocks = Math.max(1, ...starts.map(({ length }) => length - 1))
  for (let block = 0; block < blocks; block++)
    for (const chunk of chunks) {
      const { visitor } = chunk.columns
      if (visitor) {
        const [first, end] = [visitor.starts[block] ?? chunk.n, visitor.starts[block + 1] ?? chunk.n]
        if (end > first) yield { chunk, first, end, block }
      } else if (block === 0)
        for (let first = 0; first < chunk.n; first += clicksPerSlice)
          yield { chunk, first, end: Math.min(chunk.n, first + clicksPerSlice), block }
    }
}
