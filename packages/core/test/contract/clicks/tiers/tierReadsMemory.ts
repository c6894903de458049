import { type ClickEvent, compareListing } from "@clicks/core/clicks/ClickEvent"
import { matches } from "@clicks/core/clicks/ClickFilter"
import { isAfter } from "@clicks/core/clicks/ClickStoreMemory"
import { type Cut, isExpired, type TierReads } from "@clicks/core/clicks/tiers/Cut"
import { groupedBy } from "@clicks/core/values/groupedBy"
import { Effect, Stream } from "effect"

/** Reads of a tier whose clicks are in memory. `clicksOf` selects those of a cut. */
export const tierReads = (clicksOf: (cut: Cut) => ReadonlyArray<ClickEvent>): TierReads => ({
  count: (cut, filter, width) =>
    Effect.sync(() => {
      const found = clicksOf(cut).filter((click) => matches(filter, click) && !isExpired(cut, click))
      const buckets = groupedBy(found, (click) => Math.floor(click.occurred_at.getTime() / width) * width)
      return Array.from(buckets, ([start, { length: count }]) => ({ start, count }))
    }),
  read: (cut, filter, { after, limit }) =>
    Stream.suspend(() => {
      const found = clicksOf(cut).filter((click) => matches(filter, click) && !isExpired(cut, click))
      return Stream.fromArray(found.filter(isAfter(after)).sort(compareListing).slice(0, limit))
    })
})
