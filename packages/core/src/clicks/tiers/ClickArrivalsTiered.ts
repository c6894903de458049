import { Effect, Layer, Option } from "effect"
import type { Uuid } from "../../values/Uuid.ts"
import { type Arrival, ClickArrivals } from "../ClickArrivals.ts"
import { ClickArchive } from "./ClickArchive.ts"
import { HotClicks } from "./HotClicks.ts"

const make = Effect.gen(function* () {
  const plain = yield* ClickArrivals
  const hot = yield* HotClicks
  const archive = yield* ClickArchive

  // The hot store is searched first: a click is in the archive long before it leaves the hot store.
  const find = Effect.fnUntraced(function* (id: Uuid) {
    const found = yield* plain.find(id)
    const cut = Option.isSome(found) ? null : yield* hot.cut
    if (cut === null) return found
    const [click] = yield* archive.find(cut, [id])
    return Option.map(Option.fromUndefinedOr(click), (click): Arrival => ({ click, position: null }))
  })

  return ClickArrivals.of({ ...plain, find })
})

/** Follows the hot store. Finds clicks by their id in both tiers; archived ones have no position. */
export const layer: Layer.Layer<ClickArrivals, never, ClickArrivals | HotClicks | ClickArchive> =
  Layer.effect(ClickArrivals, make)
