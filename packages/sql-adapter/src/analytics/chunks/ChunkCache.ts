import { type Effect, Semaphore } from "effect"
import type { Columns } from "./Chunk.ts"

// Of ten million clicks, three columns.
const mostBytes = 96 * 1024 * 1024

/** Recently read columns of chunks. A chunk never changes: with other clicks it gets another id. */
export class ChunkCache {
  readonly #chunks = new Map<number, Columns>()
  readonly #turns = Semaphore.makeUnsafe(1)
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

  /** In an order in which a scan that is larger than the cache uses what is left of the scan before, not drops it. */
  knownFirst<Named extends { readonly id: number }>(chunks: ReadonlyArray<Named>): ReadonlyArray<Named> {
    const isKnown = ({ id }: Named) => this.#chunks.has(id)
    return [...chunks.filter(isKnown), ...chunks.filter((chunk) => !isKnown(chunk))]
  }

  /** Reads one after another: scans that run together find what the first of them has read. */
  oneAtATime<A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.#turns.withPermit(read)
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
