import { Effect, Stream } from "effect"
import { groupedBy } from "../../values/groupedBy.ts"
import { type ClickEvent, compareListing } from "../ClickEvent.ts"
import { matches } from "../ClickFilter.ts"
import { isAfter } from "../ClickStoreMemory.ts"
import { type Cut, isExpired, type TierReads } from "./Cut.ts"

/** Reads of a tier that has its clicks in memory. `clicksOf` selects those of a cut. */
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
