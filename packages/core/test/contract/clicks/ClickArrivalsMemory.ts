import { type ArrivalPositions, ClickArrivals } from "@clicks/core/clicks/ClickArrivals"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { matches } from "@clicks/core/clicks/ClickFilter"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import type { Uuid } from "@clicks/core/values/Uuid"
import { Effect, Layer, Option, Stream } from "effect"

/** A position is the number of clicks passed. */
const positions: ArrivalPositions = {
  parse: (text) => (/^\d{1,15}$/.test(text) ? Option.some(text) : Option.none()),
  precedes: (a, b) => Number(a) <= Number(b),
  momentBefore: (position) => position,
  pageStart: (position) => position,
  isAfter: (position) => (click) => Number(click) > Number(position),
  pass: (position, click) => String(Math.max(Number(position), Number(click)))
}

const make = Effect.gen(function* () {
  const store = yield* ClickStore
  const met = new Map<Uuid, ClickEvent>()

  const look = Effect.map(Stream.runCollect(store.stream({})), (clicks) => {
    for (const click of clicks.reverse()) if (!met.has(click.id)) met.set(click.id, click)
    return Array.from(met.values())
  })

  return ClickArrivals.of({
    now: Effect.map(look, (clicks) => String(clicks.length)),
    since: (position, filter, limit, until) =>
      Effect.map(look, (all) => {
        const start = Number(position)
        const later = all.slice(start, until === undefined ? undefined : Number(until))
        const found = later.flatMap((click, index) =>
          matches(filter, click) ? [{ click, passed: start + index + 1 }] : []
        )
        const page = found.slice(0, limit)
        const last = page.at(-1)
        const isAll = found.length <= limit || last === undefined
        return {
          clicks: page.map(({ click }) => click),
          positions: page.map(({ passed }) => String(passed)),
          position: String(isAll ? start + later.length : last.passed),
          isAll
        }
      }),
    find: (id) =>
      Effect.map(look, (all) => {
        const index = all.findIndex((click) => click.id === id)
        return Option.map(Option.fromUndefinedOr(all[index]), (click) => ({
          click,
          position: String(index + 1)
        }))
      }),
    positions
  })
})

/**
 * Works with any `ClickStore`: reads all its clicks at each call. For tests and small embedders. Clicks that arrive between two calls are
 * ordered by `occurred_at`. Positions are valid only in this process.
 */
export const layer: Layer.Layer<ClickArrivals, never, ClickStore> = Layer.effect(ClickArrivals, make)
