import type { Column } from "../../clicks/counting/chunkColumns.ts"

/** The values, in an array with room for `index`. */
export const doubled = (values: Int32Array<ArrayBuffer>, index: number): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(Math.max(values.length * 2, index + 1))
  larger.set(values)
  return larger
}

const isSmall = (first: number, second: number): boolean => first === 0 && second >= 0 && second < 2 ** 20

/** Numbers pairs of integers from 0, in the order in which they come. A hash table in arrays: a Map with a key per pair takes ten times
 * as long. */
export class PairIndex {
  size = 0
  #firsts = new Int32Array(64)
  #seconds = new Int32Array(64)
  /** The number of the pair in a slot plus 1, 0 for none. At most half of the slots are taken. */
  #slots = new Int32Array(128)
  /** The same for pairs of 0 and a small number: nearly all in the first field of a request. */
  #small = new Int32Array(1024)

  first(number: number): number {
    return this.#firsts[number] ?? 0
  }

  second(number: number): number {
    return this.#seconds[number] ?? 0
  }

  /** The number of a pair, -1 if it has none. */
  find(first: number, second: number): number {
    if (isSmall(first, second)) return (this.#small[second] ?? 0) - 1
    return (this.#slots[this.#slotOf(first, second)] ?? 0) - 1
  }

  /** The number of a pair, a new one if it has none. */
  add(first: number, second: number): number {
    if (isSmall(first, second)) return this.#addSmall(second)
    const slot = this.#slotOf(first, second)
    const known = this.#slots[slot] as number
    if (known > 0) return known - 1
    const number = this.#append(first, second)
    this.#slots[slot] = number + 1
    if (this.size * 2 > this.#slots.length) this.#spread()
    return number
  }

  /** Replaces the first number of each pair by the number of the pair: `firsts[i]` and the masked value at `rows[i]`. */
  addAll(firsts: Int32Array, values: Column, rows: Int32Array, mask: number, count: number): void {
    let small = this.#small
    for (let at = 0; at < count; at++) {
      const first = firsts[at] as number
      const second = (values[rows[at] as number] as number) & mask
      const known = first === 0 && second >= 0 && second < small.length ? (small[second] as number) : 0
      firsts[at] = known > 0 ? known - 1 : this.add(first, second)
      if (known === 0) small = this.#small
    }
  }

  #addSmall(second: number): number {
    const known = this.#small[second] ?? 0
    if (known > 0) return known - 1
    const number = this.#append(0, second)
    if (second >= this.#small.length) this.#small = doubled(this.#small, second)
    this.#small[second] = number + 1
    return number
  }

  #append(first: number, second: number): number {
    const number = this.size++
    if (number === this.#firsts.length) {
      this.#firsts = doubled(this.#firsts, number)
      this.#seconds = doubled(this.#seconds, number)
    }
    this.#firsts[number] = first
    this.#seconds[number] = second
    return number
  }

  #slotOf(first: number, second: number): number {
    const [slots, firsts, seconds] = [this.#slots, this.#firsts, this.#seconds]
    const mask = slots.length - 1
    let hash = Math.imul(first, 0x85ebca6b) ^ Math.imul(second, 0x9e3779b1)
    hash ^= hash >>> 15
    let slot = hash & mask
    for (let known = slots[slot] as number; known > 0; known = slots[slot] as number) {
      if (firsts[known - 1] === first && seconds[known - 1] === second) return slot
      slot = (slot + 1) & mask
    }
    return slot
  }

  #spread(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    for (let number = 0; number < this.size; number++) {
      const [first, second] = [this.first(number), this.second(number)]
      if (!isSmall(first, second)) this.#slots[this.#slotOf(first, second)] = number + 1
    }
  }
}
