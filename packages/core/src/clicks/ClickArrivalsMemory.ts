import { Effect, Layer, Stream } from "effect"
import type { Uuid } from "../values/Uuid.ts"
import { ClickArrivals } from "./ClickArrivals.ts"
import type { ClickEvent } from "./ClickEvent.ts"
import { matches } from "./ClickFilter.ts"
import { ClickStore } from "./ClickStore.ts"

const make = Effect.gen(function* () {
  const store = yield* ClickStore
  const met = new Map<Uuid, ClickEvent>()

  const look = Stream.runCollect(store.stream({})).pipe(
    Effect.map((clicks) => {
      for (const click of clicks.reverse()) if (!met.has(click.id)) met.set(click.id, click)
      return Array.from(met.values())
    })
  )

  return ClickArrivals.of({
    now: Effect.map(look, (clicks) => String(clicks.length)),
    since: (position, filter, limit) =>
      Effect.map(look, (all) => {
        const later = all.slice(Number(position))
        const found = later.flatMap((click, index) => (matches(filter, click) ? [{ click, index }] : []))
        const last = found[limit - 1]
        const passed = found.length > limit && last !== undefined ? last.index + 1 : later.length
        return {
          clicks: found.slice(0, limit).map(({ click }) => click),
          position: String(Number(position) + passed),
          isAll: found.length <= limit
        }
      })
  })
})

/**
 * Remembers every click that it has seen in the `ClickStore`, whichever that is, and reads all of them at each look: for tests
 * and for embedders who begin. Those that come between two looks are ordered by when they happened. Positions mean nothing in another process.
 */
export const layer: Layer.Layer<ClickArrivals, never, ClickStore> = Layer.effect(ClickArrivals, make)
