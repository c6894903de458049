import { Context, Effect, Layer, Stream } from "effect"
import { ClickAnalytics } from "../../../src/analytics/ClickAnalytics.ts"
import { ArchiveAnalytics } from "../../../src/analytics/tiers/ArchiveAnalytics.ts"
import type { ClickEvent } from "../../../src/clicks/ClickEvent.ts"
import { ClickStore } from "../../../src/clicks/ClickStore.ts"
import { ClickArchive } from "../../../src/clicks/tiers/ClickArchive.ts"
import { HotBatches } from "../../../src/clicks/tiers/HotBatches.ts"
import { HotClicks } from "../../../src/clicks/tiers/HotClicks.ts"
import { moveBatch } from "../../../src/clicks/tiers/moveBatch.ts"
import { expireClicks, sweepTiers } from "../../../src/clicks/tiers/sweepTiers.ts"
import { switchedArchive } from "../../contract/clicks/tiers/switchedArchive.ts"
import { onTiers, type Tiers } from "../../contract/clicks/tiers/tieredLayer.ts"
import { memoryTiers } from "./memoryTiers.ts"

interface Changes {
  readonly analytics?: (analytics: ArchiveAnalytics["Service"]) => Partial<ArchiveAnalytics["Service"]>
  readonly archive?: (archive: ClickArchive["Service"]) => Partial<ClickArchive["Service"]>
  readonly batches?: (batches: HotBatches["Service"]) => Partial<HotBatches["Service"]>
  readonly hot?: Partial<HotClicks["Service"]>
}

/** Tiers in memory. A test can replace some operations. */
export const changedTiers = Effect.fnUntraced(function* (changes: Changes = {}) {
  const memory = yield* Layer.build(memoryTiers)
  const archive = Context.get(memory, ClickArchive)
  const analytics = Context.get(memory, ArchiveAnalytics)
  const batches = Context.get(memory, HotBatches)
  const changed = memory.pipe(
    Context.add(ClickArchive, { ...archive, ...changes.archive?.(archive) }),
    Context.add(ArchiveAnalytics, { ...analytics, ...changes.analytics?.(analytics) }),
    Context.add(HotBatches, { ...batches, ...changes.batches?.(batches) }),
    Context.add(HotClicks, { ...Context.get(memory, HotClicks), ...changes.hot })
  )
  const { context, state } = switchedArchive(changed)
  const ports: Context.Context<Tiers> = Context.merge(changed, context)
  const tiered = yield* Layer.build(Layer.provide(onTiers, Layer.succeedContext(ports)))
  const store = Context.get(tiered, ClickStore)
  const hot = Context.get(memory, HotClicks)
  const plain = Context.get(memory, ClickStore)
  const provided = Effect.provideContext(ports)
  const total = (from?: Date) =>
    Effect.map(store.list({ filter: { ...(from && { from }) }, limit: 1, offset: 0 }), (page) => page.total)
  return {
    analytics: Context.get(tiered, ClickAnalytics),
    archive,
    cut: hot.cut,
    expire: (before: Date) => provided(expireClicks(before)),
    /** The clicks that the hot store still has. */
    left: Effect.map(Stream.runCollect(plain.stream({})), (clicks) => clicks.length),
    move: provided(moveBatch),
    ports,
    state,
    store,
    sweep: provided(sweepTiers),
    total
  }
})

/** Both times of a click. */
export const at = (time: string): Partial<ClickEvent> => ({
  occurred_at: new Date(time),
  received_at: new Date(time)
})
