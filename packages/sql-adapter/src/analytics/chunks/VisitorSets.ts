import type { Column } from "../../clicks/counting/chunkColumns.ts"
import { doubled, PairIndex } from "./PairIndex.ts"

// 268 bitmaps of two million visitors.
const mostBytes = 64 * 1024 * 1024

/**
 * Counts the distinct visitors of numbered sets. Visitors have small numbers, so a set is a bitmap while there is memory for one. All
 * other sets share a hash table, which is five times slower but only as large as the visitors in it.
 */
export class VisitorSets {
  readonly #wordsPerSet: number
  readonly #most: number
  readonly #rows: Array<Int32Array | undefined> = []
  #allocated = 0
  readonly #words = new PairIndex()
  #bits = new Int32Array(64)
  #sizes = new Int32Array(64)

  /** For visitors with numbers up to `last`. */
  constructor(last: number) {
    this.#wordsPerSet = (last >>> 5) + 1
    this.#most = Math.floor(mostBytes / (this.#wordsPerSet * Int32Array.BYTES_PER_ELEMENT))
  }

  /** Adds a visitor to a set. Returns whether the visitor is new in it. */
  add(set: number, visitor: number): boolean {
    const bit = 1 << (visitor & 31)
    const row = this.#rows[set] ?? this.#allocate(set)
    const word = row === undefined ? this.#hashed(set, visitor >>> 5) : visitor >>> 5
    const words = row ?? this.#bits
    const bits = words[word] ?? 0
    if ((bits & bit) !== 0) return false
    words[word] = bits | bit
    this.#sizes[set] = (this.#sizes[set] ?? 0) + 1
    return true
  }

  /** Adds the visitors of `count` clicks, which lie at `rows`, each to the set of its cell and the period; 0 stands for no visitor. */
  addAll(visitors: Column, rows: Int32Array, cells: Int32Array, period: 0 | 1, count: number): void {
    const known = this.#rows
    for (let index = 0; index < count; index++) {
      const visitor = visitors[rows[index] as number] as number
      if (visitor === 0) continue
      const set = (cells[index] as number) * 2 + period
      const words = known[set]
      if (words === undefined) {
        this.add(set, visitor)
        continue
      }
      const [word, bit] = [visitor >>> 5, 1 << (visitor & 31)]
      const bits = words[word] as number
      if ((bits & bit) !== 0) continue
      words[word] = bits | bit
      ;(this.#sizes[set] as number)++
    }
  }

  /** The number of visitors in a set. */
  size(set: number): number {
    return this.#sizes[set] ?? 0
  }

  #allocate(set: number): Int32Array | undefined {
    if (set >= this.#sizes.length) this.#sizes = doubled(this.#sizes, set)
    if (this.#allocated === this.#most) return undefined
    this.#allocated++
    const row = new Int32Array(this.#wordsPerSet)
    this.#rows[set] = row
    return row
  }

  #hashed(set: number, word: number): number {
    const place = this.#words.add(set, word)
    if (place >= this.#bits.length) this.#bits = doubled(this.#bits, place)
    return place
  }
}
