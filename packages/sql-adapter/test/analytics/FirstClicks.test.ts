import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { slicesOf } from "../../src/analytics/chunks/Chunk.ts"
import { FirstClicks } from "../../src/analytics/chunks/visitors/FirstClicks.ts"

/** A chunk with clicks of visitors 1 to `n`, all at one instant. */
const chunkOf = (id: number, n: number, instant: number) => ({
  id,
  n,
  low: instant,
  high: instant,
  middle: instant,
  isFiltered: false,
  columns: {
    at: new Int32Array(n),
    visitor: { low: Uint16Array.from({ length: n }, (_, row) => row + 1), starts: Int32Array.of(0, n) }
  }
})

it.effect("reads the first clicks of a large chunk once while small ones are merged", () =>
  Effect.gen(function* () {
    const large = chunkOf(1, 40_000, 1000)
    const small = chunkOf(2, 20_000, 500)
    const merged = chunkOf(3, 30_000, 500)
    const read: Array<number> = []
    const known = new FirstClicks()
    const firstsOf = (chunks: ReadonlyArray<typeof large>) =>
      known.of(chunks, 50_000, (added, visit) =>
        Effect.sync(() => {
          read.push(...added.map(({ id }) => id))
          for (const slice of slicesOf(added)) visit(slice)
        })
      )
    const at = (firsts: Float64Array) => [1, 25_000, 35_000, 45_000].map((visitor) => firsts[visitor])
    const none = Number.POSITIVE_INFINITY
    assert.deepStrictEqual(at(yield* firstsOf([large, small])), [500, 1000, 1000, none])
    assert.deepStrictEqual(at(yield* firstsOf([large, merged])), [500, 500, 1000, none])
    assert.deepStrictEqual(at(yield* firstsOf([large])), [1000, 1000, 1000, none])
    assert.deepStrictEqual(read, [1, 2, 3])

    // After a deletion, the rest of the chunk is another chunk.
    assert.deepStrictEqual(at(yield* firstsOf([chunkOf(4, 33_000, 1000)])), [1000, 1000, none, none])
  })
)
