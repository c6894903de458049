/** Copies the values to a larger array with room for `index`. */
export const doubled = (values: Int32Array<ArrayBuffer>, index: number): Int32Array<ArrayBuffer> => {
  const larger = new Int32Array(Math.max(values.length * 2, index + 1))
  larger.set(values)
  return larger
}

// The number of bits of the place of a pair of small numbers. If all places are used, they take 4 MB.
const placeBits = 20

/**
 * Numbers pairs of integers from 0, in the order in which they are added. A hash table in arrays: a Map with a key for each pair takes ten
 * times as long.
 */
export class PairIndex {
  size = 0
  readonly #firstBits: number
  readonly #secondBits: number
  #firsts = new Int32Array(64)
  #seconds = new Int32Array(64)
  /** For each slot, the number of its pair plus 1; 0 if it is empty. At most half of the slots are used. */
  #slots = new Int32Array(128)
  /** The same for pairs of small numbers, at their places. */
  #small = new Int32Array(1024)

  /**
   * Creates an index for second numbers that mostly have at most this many bits. Such pairs are found without a hash if the first number is
   * 0 or about as small.
   */
  constructor(secondBits = 10) {
    this.#secondBits = secondBits
    this.#firstBits = placeBits - secondBits
  }

  first(number: number): number {
    return this.#firsts[number] ?? 0
  }

  second(number: number): number {
    return this.#seconds[number] ?? 0
  }

  /** Removes all pairs, but keeps the memory. */
  clear(): void {
    for (let number = 0; number < this.size; number++) {
      const place = this.#placeOf(this.first(number), this.second(number))
      if (place >= 0) this.#small[place] = 0
    }
    this.#slots.fill(0)
    this.size = 0
  }

  /** The number of a pair; -1 if it is not in the index. */
  find(first: number, second: number): number {
    const place = this.#placeOf(first, second)
    if (place >= 0) return (this.#small[place] ?? 0) - 1
    return (this.#slots[this.#slotOf(first, second)] ?? 0) - 1
  }

  /** The number of a pair, which is added if it is not in the index. */
  add(first: number, second: number): number {
    const place = this.#placeOf(first, second)
    if (place >= 0) return this.#addSmall(place, first, second)
    const slot = this.#slotOf(first, second)
    const known = this.#slots[slot] as number
    if (known > 0) return known - 1
    const number = this.#append(first, second)
    this.#slots[slot] = number + 1
    if (this.size * 2 > this.#slots.length) this.#spread()
    return number
  }

  /** Writes the number of the pair of 0 and each value, in this order. */
  encode(values: Int32Array, order: Uint16Array, numbers: Uint16Array): void {
    let small = this.#small
    for (let at = 0; at < order.length; at++) {
      const second = values[order[at] as number] as number
      const known = second >= 0 && second < small.length ? (small[second] as number) : 0
      numbers[at] = known > 0 ? known - 1 : this.add(0, second)
      if (known === 0) small = this.#small
    }
  }

  /** Replaces each first number by the number of its pair. */
  addAll(firsts: Int32Array, seconds: Int32Array, count: number): void {
    const [firstBits, secondBits] = [this.#firstBits, this.#secondBits]
    let small = this.#small
    for (let at = 0; at < count; at++) {
      const [first, second] = [firsts[at] as number, seconds[at] as number]
      const place =
        (second >>> secondBits) | (first >>> firstBits) ? small.length : (first << secondBits) | second
      const known = place < small.length ? (small[place] as number) : 0
      firsts[at] = known > 0 ? known - 1 : this.add(first, second)
      if (known === 0) small = this.#small
    }
  }

  /** The place of a pair of small numbers; -1 for other pairs. */
  #placeOf(first: number, second: number): number {
    const isLarge = (second >>> this.#secondBits) | (first >>> this.#firstBits)
    return isLarge ? -1 : (first << this.#secondBits) | second
  }

  #addSmall(place: number, first: number, second: number): number {
    const known = this.#small[place] ?? 0
    if (known > 0) return known - 1
    const number = this.#append(first, second)
    if (place >= this.#small.length) this.#small = doubled(this.#small, place)
    this.#small[place] = number + 1
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
      if (this.#placeOf(first, second) < 0) this.#slots[this.#slotOf(first, second)] = number + 1
    }
  }
}
