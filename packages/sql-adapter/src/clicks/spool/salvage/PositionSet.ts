const perPart = 8192

/** Positions that were met, a bit for each: a million that lie together take 125 kB. */
export class PositionSet {
  readonly #parts = new Map<number, Uint8Array>()
  size = 0

  /** Adds the position; false when it is there already. */
  add(position: number): boolean {
    const key = Math.floor(position / perPart)
    const part = this.#parts.get(key) ?? new Uint8Array(perPart / 8)
    this.#parts.set(key, part)
    const bit = position % perPart
    const byte = part[bit >> 3] ?? 0
    if ((byte & (1 << (bit & 7))) !== 0) return false
    part[bit >> 3] = byte | (1 << (bit & 7))
    this.size++
    return true
  }
}
