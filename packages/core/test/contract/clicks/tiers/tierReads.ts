import { type ClickEvent, compareListing } from "@clicks/core/clicks/ClickEvent"
import { type ClickFilter, matches } from "@clicks/core/clicks/ClickFilter"
import { bucketWidths, type Cut, type ListingPart, type TierReads } from "@clicks/core/clicks/tiers/Cut"
import { assert } from "@effect/vitest"
import { Effect, Stream } from "effect"

const byStart = (a: { readonly start: number }, b: { readonly start: number }) => a.start - b.start

const expectedBuckets = (clicks: ReadonlyArray<ClickEvent>, width: number) => {
  const counts = new Map<number, number>()
  for (const { occurred_at } of clicks) {
    const start = Math.floor(occurred_at.getTime() / width) * width
    counts.set(start, (counts.get(start) ?? 0) + 1)
  }
  return Array.from(counts, ([start, count]) => ({ start, count })).sort(byStart)
}

/** Checks that a tier counts and reads exactly these clicks of the cut. */
export const expectReads = Effect.fnUntraced(function* (
  tier: TierReads,
  cut: Cut,
  clicks: Iterable<ClickEvent>,
  filter: ClickFilter = {},
  part: ListingPart = {}
) {
  const found = Array.from(clicks)
    .filter((click) => matches(filter, click))
    .sort(compareListing)
  for (const width of bucketWidths) {
    const buckets = yield* tier.count(cut, filter, width)
    assert.deepStrictEqual(buckets.toSorted(byStart), expectedBuckets(found, width), `buckets of ${width} ms`)
  }
  const { after, limit } = part
  const rest = found.filter((click) => after === undefined || compareListing(after, click) < 0)
  assert.deepStrictEqual(
    Array.from(yield* Stream.runCollect(tier.read(cut, filter, part))),
    rest.slice(0, limit)
  )
})
