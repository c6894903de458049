import { Effect, Layer, Stream } from "effect"
import type { Uuid } from "../values/Uuid.ts"
import { ClickArrivals } from "./ClickArrivals.ts"
import type { ClickEvent } from "./ClickEvent.ts"
import { matches } from "./ClickFilter.ts"
import { ClickStore } from "./ClickStore.ts"

const make = Effect.gen(function* () {
  const store = yield* ClickStore
  const met = new Map<Uuid, ClickEvent>()

  const look = Effect.map(Stream.runCollect(store.stream({})), (clicks) => {
    for (const click of clicks.reverse()) if (!met.has(click.id)) met.set(click.id, click)
    return Array.from(met.values())
  })

  return ClickArrivals.of({
    now: Effect.map(look, (clicks) => String(clicks.length)),
    since: (position, filter, limit) =>
      Effect.map(look, (all) => {
        const found = all.slice(Number(position)).filter((click) => matches(filter, click))
        const clicks = found.slice(0, limit)
        const last = found.length > limit ? clicks.at(-1) : all.at(-1)
        const passed = last === undefined ? 0 : all.indexOf(last) + 1
        return { clicks, position: String(passed), isAll: found.length <= limit }
      })
  })
})

/**
 * Works on any `ClickStore` by reading all its clicks at each call, for tests and small embedders. Clicks that arrive between two
 * calls are ordered by `occurred_at`. Positions are only valid in this process.
 */
export const layer: Layer.Layer<ClickArrivals, never, ClickStore> = Layer.effect(ClickArrivals, make)
