import type { Columns } from "./Chunk.ts"

// Of ten million clicks, three columns.
const mostBytes = 96 * 1024 * 1024

/** Recently read columns of chunks. A chunk never changes: with other clicks it gets another id. */
export class ChunkCache {
  readonly #chunks = new Map<number, Columns>()
  #bytes = 0

  get(id: number): Columns {
    const columns = this.#chunks.get(id)
    if (columns === undefined) return {}
    this.#chunks.delete(id)
    this.#chunks.set(id, columns)
    return columns
  }

  /** Keeps the columns of a chunk, and drops those of the least recently used chunks. */
  set(id: number, columns: Columns): void {
    this.#drop(id)
    this.#chunks.set(id, columns)
    this.#bytes += bytesOf(columns)
    for (const oldest of this.#chunks.keys()) {
      if (this.#bytes <= mostBytes) break
      this.#drop(oldest)
    }
  }

  /** Whether columns of so many clicks fit. A larger scan would drop what it needs next time. */
  static fits(clicks: number, columns: ReadonlyArray<string>): boolean {
    return clicks * columns.length * Int32Array.BYTES_PER_ELEMENT <= mostBytes
  }

  #drop(id: number): void {
    const columns = this.#chunks.get(id)
    if (columns === undefined) return
    this.#bytes -= bytesOf(columns)
    this.#chunks.delete(id)
  }
}

const bytesOf = (columns: Columns): number =>
  Object.values(columns).reduce((sum, column) => sum + (column?.byteLength ?? 0), 0)
