import type { ArchiveAnalytics } from "@clicks/core/analytics/ArchiveAnalytics"
import type { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import * as ClickAnalyticsTiered from "@clicks/core/analytics/ClickAnalyticsTiered"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import type { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import * as ClickStoreTiered from "@clicks/core/clicks/tiers/ClickStoreTiered"
import type { HotBatches } from "@clicks/core/clicks/tiers/HotBatches"
import type { HotClicks } from "@clicks/core/clicks/tiers/HotClicks"
import { moveBatch } from "@clicks/core/clicks/tiers/moveBatch"
import { Context, Effect, Layer } from "effect"

/** A hot store with its own analytics, and an archive. */
export type Tiers = ClickStore | ClickAnalytics | HotClicks | HotBatches | ClickArchive | ArchiveAnalytics

/** Store and analytics over the tiers. */
export const onTiers: Layer.Layer<ClickStore | ClickAnalytics, never, Tiers> = Layer.merge(
  ClickStoreTiered.layer,
  ClickAnalyticsTiered.layer
)

/**
 * Store and analytics over the tiers, moving a batch after every second insert, so that the contracts of `ClickStore` and
 * `ClickAnalytics` meet clicks in both.
 */
export const movingLayer = <E>(tiers: Layer.Layer<Tiers, E>): Layer.Layer<ClickStore | ClickAnalytics, E> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const ports = yield* Layer.build(tiers)
      const tiered = yield* Layer.build(Layer.provide(onTiers, Layer.succeedContext(ports)))
      const store = Context.get(tiered, ClickStore)
      const move = Effect.orDie(Effect.provideContext(moveBatch, ports))
      // If there is nothing to move, the mover has caught up.
      yield* move
      let inserts = 0
      const insert: typeof store.insert = (batch) =>
        Effect.tap(store.insert(batch), () => (++inserts % 2 === 0 ? move : Effect.void))
      return Context.add(tiered, ClickStore, { ...store, insert })
    })
  )
