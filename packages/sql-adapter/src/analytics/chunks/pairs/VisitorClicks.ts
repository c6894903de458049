import { type Slice, sessionsOf, visitorsOf } from "../Chunk.ts"

const groupBits = 10

/** Visitors are counted in groups of this many ids, whose clicks fit into the processor's caches. */
export const visitorsPerGroup = 1 << groupBits

/** Groups from `first` to before `end`. */
export interface Groups {
  readonly first: number
  readonly end: number
}

/** The position of the first value that is at least `least`, among ascending values from `first` to before `end`. */
const lowerBound = (values: Uint16Array, first: number, end: number, least: number): number => {
  let [low, high] = [first, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] as number) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** The clicks of a slice whose visitors are in the groups. Id 0 stands for no visitor. */
export const partOf = (slice: Slice, groups: Groups): Slice => {
  const { low } = visitorsOf(slice.chunk)
  const bound = (id: number): number => {
    const least = id - (slice.block << 16)
    return least > 0xffff ? slice.end : lowerBound(low, slice.first, slice.end, least)
  }
  return {
    ...slice,
    first: bound(Math.max(1, groups.first << groupBits)),
    end: bound(groups.end << groupBits)
  }
}

/** Adds the clicks of a slice to the numbers of clicks per group. */
export const addSizes = (slice: Slice, sizes: Int32Array): void => {
  const { block, chunk, end, first } = partOf(slice, { first: 0, end: sizes.length })
  const { low } = visitorsOf(chunk)
  const base = block << 16
  for (let row = first; row < end; row++) (sizes[(base | (low[row] as number)) >>> groupBits] as number)++
}

/** Clicks of groups of visitors. The clicks of a group are consecutive. */
export class VisitorClicks {
  /** The last bits of visitors. */
  readonly digits: Uint16Array
  readonly products: Int32Array
  /** Sessions or, without a session, starts of local days. Half a millisecond is added to the latter, so that none equals a session. */
  readonly visits: Float64Array
  #first = 0
  #starts = new Int32Array(0)
  #ends = new Int32Array(0)

  /** Creates room for `most` clicks. */
  constructor(most: number) {
    this.digits = new Uint16Array(most)
    this.products = new Int32Array(most)
    this.visits = new Float64Array(most)
  }

  /** Prepares for the clicks of other groups, `sizes` of them, instead of the previous ones. */
  open({ end, first }: Groups, sizes: Int32Array): void {
    this.#first = first
    this.#starts = new Int32Array(end - first)
    let total = 0
    for (let group = first; group < end; group++) {
      this.#starts[group - first] = total
      total += sizes[group] as number
    }
    this.#ends = this.#starts.slice()
  }

  /** Adds the `count` clicks at `rows`, with their products and the numbers of their days. */
  add(
    { block, chunk }: Slice,
    rows: Int32Array,
    products: Int32Array,
    days: Int32Array,
    startOf: ReadonlyArray<number>,
    count: number
  ): void {
    const { low } = visitorsOf(chunk)
    const { codes, values } = sessionsOf(chunk)
    const [digits, ownProducts, visits, ends] = [this.digits, this.products, this.visits, this.#ends]
    const base = (block << (16 - groupBits)) - this.#first
    const hasSessions = codes.length > 0
    for (let index = 0; index < count; index++) {
      const row = rows[index] as number
      const visitor = low[row] as number
      const group = base + (visitor >>> groupBits)
      const at = ends[group] as number
      ends[group] = at + 1
      digits[at] = visitor & (visitorsPerGroup - 1)
      ownProducts[at] = products[index] as number
      visits[at] = (startOf[days[index] as number] as number) + 0.5
      if (!hasSessions) continue
      const session = values[codes[row] as number] as number
      if (!Number.isNaN(session)) visits[at] = session
    }
  }

  /** The positions of the clicks of a group: the first, and the one after the last. */
  positionsOf(group: number): readonly [number, number] {
    return [this.#starts[group - this.#first] as number, this.#ends[group - this.#first] as number]
  }
}
