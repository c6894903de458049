import { type Effect, Semaphore } from "effect"
import type { Column } from "./Chunk.ts"
import { FirstClicks } from "./visitors/FirstClicks.ts"

// For ten million clicks, the columns of a screen with four rankings: visitors, actions and four fields, 10 bytes per click.
const mostBytes = 104 * 1024 * 1024

type Kept = Column | Uint16Array

const bytesOf = (column: Kept): number => {
  if ("codes" in column) return column.codes.byteLength + column.values.byteLength
  return "low" in column ? column.low.byteLength + column.starts.byteLength : column.byteLength
}

/** Recently used columns of chunks. A chunk never changes: if its clicks change, it gets another id. */
export class ChunkCache {
  readonly #columns = new Map<string, Kept>()
  readonly firsts = new FirstClicks()
  readonly #turns = Semaphore.makeUnsafe(1)
  #bytes = 0

  get(id: number, name: string): Column | undefined {
    return this.#get(`${id} ${name}`) as Column | undefined
  }

  /** The positions of the clicks of a chunk in the order of their visitors. */
  orderOf(id: number): Uint16Array | undefined {
    return this.#get(`${id} order`) as Uint16Array | undefined
  }

  /** Adds a column, or an order of clicks, and drops the least recently used ones. */
  add(id: number, name: string, column: Kept): void {
    const key = `${id} ${name}`
    this.#drop(key)
    this.#columns.set(key, column)
    this.#bytes += bytesOf(column)
    for (const oldest of this.#columns.keys()) {
      if (this.#bytes <= mostBytes) break
      this.#drop(oldest)
    }
  }

  /**
   * Puts the chunks whose columns are cached first. A scan that is larger than the cache then uses what the previous scan has left, before
   * it drops it.
   */
  knownFirst<Named extends { readonly id: number }>(
    chunks: ReadonlyArray<Named>,
    columnsOf: (chunk: Named) => ReadonlyArray<string>
  ): ReadonlyArray<Named> {
    const known = new Set(
      chunks.filter((chunk) => columnsOf(chunk).every((name) => this.#columns.has(`${chunk.id} ${name}`)))
    )
    return [...known, ...chunks.filter((chunk) => !known.has(chunk))]
  }

  /** Runs reads one after another, so that concurrent scans find what the first of them has read. */
  oneAtATime<A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.#turns.withPermit(read)
  }

  #get(key: string): Kept | undefined {
    const column = this.#columns.get(key)
    if (column === undefined) return undefined
    this.#columns.delete(key)
    this.#columns.set(key, column)
    return column
  }

  #drop(key: string): void {
    const column = this.#columns.get(key)
    if (column === undefined) return
    this.#bytes -= bytesOf(column)
    this.#columns.delete(key)
  }
}
