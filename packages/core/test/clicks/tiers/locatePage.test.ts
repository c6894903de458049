import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ClickFilter } from "../../../src/clicks/ClickFilter.ts"
import { type BucketWidth, bucketWidths } from "../../../src/clicks/tiers/Cut.ts"
import { locatePage } from "../../../src/clicks/tiers/locatePage.ts"

const [day] = bucketWidths
const newest = Date.parse("2026-11-20T10:00:00.000Z")

/** Counts clicks at these instants. */
const counts = (instants: ReadonlyArray<number>) => (filter: ClickFilter, width: BucketWidth) => {
  const inside = instants.filter(
    (at) => at >= (filter.from?.getTime() ?? at) && at <= (filter.to?.getTime() ?? at)
  )
  const starts = Map.groupBy(inside, (at) => Math.floor(at / width) * width)
  const buckets = Array.from(starts, ([start, { length: count }]) => ({ start, count }))
  return Effect.succeed(buckets.sort((a, b) => b.start - a.start))
}

const locate = Effect.fnUntraced(function* (instants: ReadonlyArray<number>, limit: number) {
  const count = counts(instants)
  const days = yield* count({}, day)
  return yield* locatePage({ filter: {}, offset: 0, limit }, days, count)
})

describe("locatePage", () => {
  it.effect("reads from the oldest day of a page and the click after it", () =>
    Effect.gen(function* () {
      const instants = [0, 60, 120, 180].map((days) => newest - days * day)
      const window = yield* locate(instants, 2)
      assert.deepStrictEqual(window?.filter.from, new Date(Math.floor((newest - 120 * day) / day) * day))
    })
  )
})
