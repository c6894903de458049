import { Effect, Layer, Stream } from "effect"
import type { Uuid } from "../values/Uuid.ts"
import type { ListingPosition } from "./ClickCursor.ts"
import { type ClickEvent, compareListing } from "./ClickEvent.ts"
import { type ClickFilter, matches } from "./ClickFilter.ts"
import { type ClickQuery, toPage } from "./ClickQuery.ts"
import { ClickStore, streamedPage } from "./ClickStore.ts"

/** Whether a click comes after a place in the listing. */
export const isAfter = (position: ListingPosition | undefined) => (event: ClickEvent) =>
  position === undefined || compareListing(position, event) < 0

/** A store that keeps its clicks in this map. */
export const make = (clicks = new Map<Uuid, ClickEvent>()): ClickStore["Service"] => {
  const listing = (filter: ClickFilter) =>
    Array.from(clicks.values())
      .filter((event) => matches(filter, event))
      .sort(compareListing)

  const list = (query: ClickQuery) =>
    Effect.sync(() => {
      const found = listing(query.filter)
      const page = found.filter(isAfter(query.after)).slice(query.offset, query.offset + query.limit + 1)
      return toPage(query, page, found.length)
    })

  return ClickStore.of({
    insert: (batch) =>
      Effect.sync(() => {
        const added = batch.filter((event) => !clicks.has(event.id) && clicks.set(event.id, event))
        return new Set(added.map((event) => event.id))
      }),
    list,
    streamPage: (query) => Effect.map(list(query), streamedPage),
    stream: (filter) => Stream.suspend(() => Stream.fromIterable(listing(filter)))
  })
}

/** Keeps clicks in this process's memory, for tests and prototypes. Each listing sorts all matching clicks. */
export const layer: Layer.Layer<ClickStore> = Layer.sync(ClickStore, () => make())
