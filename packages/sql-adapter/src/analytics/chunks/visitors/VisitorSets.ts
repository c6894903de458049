import type { Visitors } from "../Chunk.ts"
import { doubled, PairIndex } from "../PairIndex.ts"

// Enough for 268 bitmaps of two million visitors.
const mostBytes = 64 * 1024 * 1024

// Bitmaps that begin at the same offset within a memory page compete for the same few lines of the processor's caches. When each bitmap is
// shifted by one line, adding a visitor to one of a hundred sets takes two thirds of the time.
const wordsPerLine = 16
const linesPerPage = 64

const bitsIn = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

const addWords = (union: Int32Array, words: Int32Array): void => {
  for (let word = 0; word < words.length; word++)
    union[word] = (union[word] as number) | (words[word] as number)
}

/**
 * Counts the distinct visitors of numbered sets. Visitors have small numbers, so a set is a bitmap as long as there is memory for one. All
 * other sets share a hash table, which is five times slower but only as large as the number of visitors in it.
 */
export class VisitorSets {
  readonly #wordsPerSet: number
  readonly #most: number
  readonly #rows: Array<Int32Array | undefined> = []
  #allocated = 0
  readonly #words = new PairIndex()
  #bits = new Int32Array(64)
  readonly #hashedSizes: Array<number> = []

  /** Creates sets for visitors with numbers up to `last`. */
  constructor(last: number) {
    this.#wordsPerSet = (last >>> 5) + 1
    this.#most = Math.floor(mostBytes / (this.#wordsPerSet * Int32Array.BYTES_PER_ELEMENT))
  }

  /**
   * Adds the visitors of the `count` clicks at `rows`, each to the set of its cell and the period; visitor 0 stands for none. `low`
   * contains the last 16 bits of ids, `block` the others. Does not test whether a visitor is in the set already, because the processor
   * often mispredicts that branch.
   */
  addAll(
    { low }: Visitors,
    block: number,
    rows: Int32Array,
    cells: Int32Array,
    period: 0 | 1,
    count: number
  ): void {
    const known = this.#rows
    const first = block << 11
    for (let index = 0; index < count; index++) {
      const visitor = low[rows[index] as number] as number
      const set = (cells[index] as number) * 2 + period
      const words = known[set]
      if (words === undefined) this.#add(set, (block << 16) | visitor)
      else {
        const word = first + (visitor >>> 5)
        words[word] = (words[word] as number) | (1 << (visitor & 31))
      }
    }
  }

  /** The number of visitors in a set. */
  size(set: number): number {
    const words = this.#rows[set]
    if (words === undefined) return this.#hashedSizes[set] ?? 0
    let size = -((words[0] as number) & 1)
    for (let word = 0; word < words.length; word++) size += bitsIn(words[word] as number)
    return size
  }

  /** Adds the visitors of all even-numbered sets of `others` to set 0, and those of odd-numbered ones to set 1. */
  addUnions(others: VisitorSets): void {
    const unions = [0, 1].map((set) => {
      const row = this.#rows[set] ?? new Int32Array(this.#wordsPerSet)
      this.#rows[set] = row
      return row
    })
    for (const [set, words] of others.#rows.entries())
      if (words !== undefined) addWords(unions[set & 1] as Int32Array, words)
    for (let at = 0; at < others.#words.size; at++) {
      const union = unions[others.#words.first(at) & 1] as Int32Array
      const word = others.#words.second(at)
      union[word] = (union[word] as number) | (others.#bits[at] as number)
    }
  }

  /** Calls `visit` with every set and its visitors, 32 at a time: bit 0 of word 1 is visitor 32. */
  forEachWord(visit: (set: number, word: number, bits: number) => void): void {
    for (const [set, words] of this.#rows.entries())
      for (let word = 0; words !== undefined && word < words.length; word++) {
        const bits = words[word] as number
        if (bits !== 0) visit(set, word, word === 0 ? bits & ~1 : bits)
      }
    for (let at = 0; at < this.#words.size; at++)
      visit(this.#words.first(at), this.#words.second(at), this.#bits[at] as number)
  }

  #add(set: number, visitor: number): void {
    if (visitor === 0) return
    const bit = 1 << (visitor & 31)
    if (this.#allocated < this.#most) {
      this.#allocated++
      const skew = (this.#allocated % linesPerPage) * wordsPerLine
      const row = new Int32Array(skew + this.#wordsPerSet).subarray(skew)
      this.#rows[set] = row
      row[visitor >>> 5] = bit
      return
    }
    const place = this.#words.add(set, visitor >>> 5)
    if (place >= this.#bits.length) this.#bits = doubled(this.#bits, place)
    const bits = this.#bits[place] as number
    if ((bits & bit) !== 0) return
    this.#bits[place] = bits | bit
    this.#hashedSizes[set] = (this.#hashedSizes[set] ?? 0) + 1
  }
}
