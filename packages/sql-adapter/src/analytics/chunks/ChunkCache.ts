import { type Effect, Semaphore } from "effect"
import type { Columns } from "./Chunk.ts"
import { FirstClicks } from "./visitors/FirstClicks.ts"
import { inOrder, visitorOrder } from "./visitors/visitorOrder.ts"

// Of ten million clicks, visitors, actions and a field.
const mostBytes = 96 * 1024 * 1024

/** Columns of a chunk. From when its visitors are known, all are in the order of their ids. */
export interface Cached {
  readonly order: Uint16Array | undefined
  readonly columns: Columns
}

const none: Cached = { order: undefined, columns: {} }

const mapped = (columns: Columns, order: Uint16Array | undefined): Columns =>
  Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, column && inOrder(column, order)])
  )

const bytesOf = ({ columns, order }: Cached): number =>
  Object.values(columns).reduce((sum, column) => sum + (column?.byteLength ?? 0), order?.byteLength ?? 0)

/** Recently read columns of chunks. A chunk never changes: with other clicks it gets another id. */
export class ChunkCache {
  readonly #chunks = new Map<number, Cached>()
  readonly firsts = new FirstClicks()
  readonly #turns = Semaphore.makeUnsafe(1)
  #bytes = 0

  get(id: number): Cached {
    const cached = this.#chunks.get(id)
    if (cached === undefined) return none
    this.#chunks.delete(id)
    this.#chunks.set(id, cached)
    return cached
  }

  /** Adds columns as they were read to the known ones, and drops those of the least recently used chunks. Returns all columns of the chunk. */
  add(id: number, known: Cached, read: Columns): Columns {
    const order = known.order ?? (read["visitor"] && visitorOrder(read["visitor"]))
    const before = order === known.order ? known.columns : mapped(known.columns, order)
    const cached = { order, columns: { ...before, ...mapped(read, order) } }
    this.#drop(id)
    this.#chunks.set(id, cached)
    this.#bytes += bytesOf(cached)
    for (const oldest of this.#chunks.keys()) {
      if (this.#bytes <= mostBytes) break
      this.#drop(oldest)
    }
    return cached.columns
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
    const cached = this.#chunks.get(id)
    if (cached === undefined) return
    this.#bytes -= bytesOf(cached)
    this.#chunks.delete(id)
  }
}
