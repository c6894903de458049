import { Effect, Stream } from "effect"
import type { Bucket, TierReads } from "./Cut.ts"
import { mergeListings } from "./mergeListings.ts"

const newestFirst = (buckets: ReadonlyArray<Bucket>): ReadonlyArray<Bucket> => {
  const counts = new Map<number, number>()
  for (const { count, start } of buckets) counts.set(start, count + (counts.get(start) ?? 0))
  return Array.from(counts, ([start, count]) => ({ start, count })).sort((a, b) => b.start - a.start)
}

/** Combines the reads of two tiers. Buckets come newest first. */
export const bothTiers = (hot: TierReads, archive: TierReads): TierReads => ({
  count: (...query) =>
    Effect.map(Effect.all([hot.count(...query), archive.count(...query)], { concurrency: 2 }), (counts) =>
      newestFirst(counts.flat())
    ),
  read: (cut, filter, part) => {
    const merged = mergeListings(hot.read(cut, filter, part), archive.read(cut, filter, part))
    return part.limit === undefined ? merged : Stream.take(merged, part.limit)
  }
})
