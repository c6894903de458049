import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { Cut } from "@clicks/core/clicks/tiers/Cut"
import { HotBatches } from "@clicks/core/clicks/tiers/HotBatches"
import { HotClicks } from "@clicks/core/clicks/tiers/HotClicks"
import { assert } from "@effect/vitest"
import { Duration, Effect, Layer, Stream } from "effect"
import * as ArchiveSwitch from "../../../src/clicks/archive/ArchiveSwitch.ts"
import * as HotBatchesSql from "../../../src/clicks/archive/HotBatchesSql.ts"
import * as HotClicksSql from "../../../src/clicks/archive/HotClicksSql.ts"
import * as ClickStoreSql from "../../../src/clicks/ClickStoreSql.ts"
import * as TestDatabase from "../../TestDatabase.ts"

/** The ports of the hot store, on a database that has not been prepared for an archive. */
export const unpreparedLayer = Layer.mergeAll(
  ClickStoreSql.layer,
  HotBatchesSql.layer,
  HotClicksSql.layer
).pipe(Layer.provideMerge(TestDatabase.layer))

/** The ports of the hot store. */
export const hotLayer = Layer.provideMerge(Layer.effectDiscard(ArchiveSwitch.enable), unpreparedLayer)

export const begin = (silentFor = Duration.hours(1)) => HotBatches.use((batches) => batches.begin(silentFor))
export const complete = (attempt: number, count: number) =>
  HotBatches.use((batches) => batches.complete(attempt, { count, checksum: "" }))

export const opened = Effect.flatMap(begin(), (batch) => Effect.fromNullishOr(batch))

/** Moves all waiting clicks, like a mover with a perfect archive. */
export const move = Effect.gen(function* () {
  let moved = 0
  for (let batch = yield* begin(); batch !== null; batch = yield* begin()) {
    assert.lengthOf(yield* Stream.runCollect(batch.clicks), batch.count)
    assert.isTrue(yield* complete(batch.attempt, batch.count))
    moved += batch.count
  }
  return moved
})

export const cutNow = Effect.flatMap(
  HotClicks.use((hot) => hot.cut),
  (cut) => Effect.fromNullishOr(cut)
)
export const read = (cut: Cut) => HotClicks.use((hot) => Stream.runCollect(hot.read(cut, {}, {})))
export const ids = (clicks: ReadonlyArray<ClickEvent>) => clicks.map(({ id }) => id).toSorted()
export const hotIds = Effect.map(Effect.flatMap(cutNow, read), ids)
