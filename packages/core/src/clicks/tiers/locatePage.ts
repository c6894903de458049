import { Effect } from "effect"
import type { ClickFilter } from "../ClickFilter.ts"
import type { ClickQuery } from "../ClickQuery.ts"
import type { ClickStoreError } from "../ClickStore.ts"
import { type Bucket, type BucketWidth, bucketWidths } from "./Cut.ts"

/** Counts both tiers together. The newest bucket comes first. */
export type CountBuckets = (
  filter: ClickFilter,
  width: BucketWidth
) => Effect.Effect<ReadonlyArray<Bucket>, ClickStoreError>

/** The location of a page: it begins after the `skip` newest clicks that match the filter. */
export interface PageWindow {
  readonly filter: ClickFilter
  readonly skip: number
}

// The maximum number of clicks that are read only to be skipped. Narrower buckets cost each tier another query.
const mostSkipped = 1000

/** Narrows the range of the filter. */
export const within = (filter: ClickFilter, from: number | undefined, to: number): ClickFilter => {
  const bounds = {
    from: from !== undefined && !(filter.from && filter.from.getTime() > from) ? new Date(from) : filter.from,
    to: filter.to && filter.to.getTime() < to ? filter.to : new Date(to)
  }
  return { ...filter, ...(bounds.from && { from: bounds.from }), to: bounds.to }
}

/** The start of the bucket at which the sum of counts reaches `wanted`. */
const reach = (buckets: ReadonlyArray<Bucket>, wanted: number): number | undefined => {
  let missing = wanted
  return buckets.find(({ count }) => {
    missing -= count
    return missing <= 0
  })?.start
}

/**
 * The window of a page that begins after a click. It is unknown how many clicks of the click's own bucket come after it, so that bucket
 * does not count towards the limit.
 */
const afterClick = (
  { filter, limit }: ClickQuery,
  buckets: ReadonlyArray<Bucket>,
  width: BucketWidth,
  instant: number
): PageWindow => {
  const rest = buckets.filter(({ start }) => start <= instant)
  const older = rest.filter(({ start }) => start + width <= instant)
  const oldest = reach(older, limit + 1) ?? rest.at(-1)?.start
  return { filter: within(filter, oldest, instant), skip: 0 }
}

/** The window of a page at an offset. Uses narrower and narrower buckets until few clicks are left to skip. */
const atOffset = Effect.fnUntraced(function* (
  { filter, limit, offset }: ClickQuery,
  days: ReadonlyArray<Bucket>,
  count: CountBuckets
) {
  let window = { filter, skip: offset }
  let buckets = days
  for (const [index, width] of bucketWidths.entries()) {
    let skip = window.skip
    const first = buckets.findIndex((bucket) => {
      if (bucket.count > skip) return true
      skip -= bucket.count
      return false
    })
    const bucket = buckets[first]
    if (bucket === undefined) return undefined
    const reached = reach(buckets.slice(first), skip + limit + 1)
    const oldest = reached ?? (index === 0 ? buckets.at(-1)?.start : undefined)
    window = { filter: within(window.filter, oldest, bucket.start + width - 1), skip }
    const narrower = bucketWidths[index + 1]
    if (skip <= mostSkipped || narrower === undefined) break
    buckets = yield* count(within(window.filter, bucket.start, bucket.start + width - 1), narrower)
  }
  return window
})

/**
 * Finds a window that contains the page of the query and the click after it, from the counts of all matching clicks by day. Undefined if
 * the page is beyond the last click.
 */
export const locatePage = Effect.fnUntraced(function* (
  query: ClickQuery,
  days: ReadonlyArray<Bucket>,
  count: CountBuckets
): Effect.fn.Return<PageWindow | undefined, ClickStoreError> {
  return query.after === undefined
    ? yield* atOffset(query, days, count)
    : afterClick(query, days, bucketWidths[0], query.after.occurred_at.getTime())
})
