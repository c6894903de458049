import { Effect, Semaphore } from "effect"
import { mostClicks } from "../../../clicks/counting/chunkColumns.ts"
import { type Slice, timesOf, visitorsOf } from "../Chunk.ts"

/** Updates the first clicks of visitors with those of a slice that are earlier. */
export const addFirsts = ({ block, chunk, end, first }: Slice, firsts: Float64Array): void => {
  const { middle } = chunk
  const [at, { low }] = [timesOf(chunk), visitorsOf(chunk)]
  const base = block << 16
  for (let row = first; row < end; row++) {
    const id = base | (low[row] as number)
    const instant = middle + (at[row] as number)
    if (instant < (firsts[id] as number)) firsts[id] = instant
  }
  firsts[0] = Number.POSITIVE_INFINITY
}

/** Infinity for all visitors up to `last`, and for 0, which is no visitor. */
const noFirsts = (last: number): Float64Array => new Float64Array(last + 1).fill(Number.POSITIVE_INFINITY)

// A larger chunk is never merged. It is kept until one of its clicks is deleted.
const mostMerged = mostClicks / 2

interface Sized {
  readonly id: number
  readonly n: number
}

type Scan<Named, E> = (chunks: ReadonlyArray<Named>, visit: (slice: Slice) => void) => Effect.Effect<void, E>

/**
 * The instant of the first click of each visitor, which depends on all clicks, whatever the range. First clicks in large chunks are kept
 * between requests: of ten million clicks, only those of new and of small chunks are read again.
 */
export class FirstClicks {
  readonly #turns = Semaphore.makeUnsafe(1)
  #ids: ReadonlySet<number> = new Set()
  #firsts = noFirsts(0)

  /** The first clicks in the chunks, for visitors up to `last` or more. The caller may change the array. `scan` reads chunks. */
  of<Named extends Sized, E>(
    chunks: ReadonlyArray<Named>,
    last: number,
    scan: Scan<Named, E>
  ): Effect.Effect<Float64Array, E> {
    return Effect.gen({ self: this }, function* () {
      const large = chunks.filter(({ n }) => n > mostMerged)
      const firsts = (yield* this.#ofLarge(large, last, scan)).slice()
      const small = chunks.filter(({ n }) => n <= mostMerged)
      yield* scan(small, (slice) => addFirsts(slice, firsts))
      return firsts
    })
  }

  #ofLarge<Named extends Sized, E>(chunks: ReadonlyArray<Named>, last: number, scan: Scan<Named, E>) {
    return Effect.gen({ self: this }, function* () {
      const ids = new Set(chunks.map(({ id }) => id))
      const isGrown = Array.from(this.#ids).every((id) => ids.has(id))
      const known = isGrown ? this.#ids : new Set<number>()
      if (ids.size === known.size && last < this.#firsts.length) return this.#firsts
      const firsts = noFirsts(isGrown ? Math.max(last, this.#firsts.length - 1) : last)
      if (isGrown) firsts.set(this.#firsts)
      const added = chunks.filter(({ id }) => !known.has(id))
      yield* scan(added, (slice) => addFirsts(slice, firsts))
      this.#ids = ids
      this.#firsts = firsts
      return firsts
    }).pipe(this.#turns.withPermit)
  }
}
