import { Effect, Semaphore } from "effect"
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

/**
 * The instant of the first click of each visitor, kept between requests because it depends on all clicks, whatever the range. Of ten
 * million clicks, only those of new chunks are read again.
 */
export class FirstClicks {
  readonly #turns = Semaphore.makeUnsafe(1)
  #ids: ReadonlySet<number> = new Set()
  #firsts = noFirsts(0)

  /** The first clicks in the chunks, for visitors up to `last` or more. The caller must not change the result. `scan` reads chunks. */
  of<Named extends { readonly id: number }, E>(
    chunks: ReadonlyArray<Named>,
    last: number,
    scan: (chunks: ReadonlyArray<Named>, visit: (slice: Slice) => void) => Effect.Effect<void, E>
  ): Effect.Effect<Float64Array, E> {
    return Effect.gen({ self: this }, function* () {
      const ids = new Set(chunks.map(({ id }) => id))
      const isGrown = Array.from(this.#ids).every((id) => ids.has(id))
      const known = isGrown ? this.#ids : new Set<number>()
      if (ids.size === known.size && last < this.#firsts.length) return this.#firsts
      const firsts = noFirsts(isGrown ? Math.max(last, this.#firsts.length - 1) : last)
      if (isGrown) firsts.set(this.#firsts)
      const added = chunks.filter(({ id }) => !known.has(id))
      yield* scan(added, (slice) => {
        addFirsts(slice, firsts)
      })
      this.#ids = ids
      this.#firsts = firsts
      return firsts
    }).pipe(this.#turns.withPermit)
  }
}
