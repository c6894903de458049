import { ClickStore, ClickStoreError } from "@clicks/core/clicks/ClickStore"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import { HotClicks } from "@clicks/core/clicks/tiers/HotClicks"
import * as ClickArchiveMemory from "@clicks/core/testing/ClickArchiveMemory"
import * as HotClicksMemory from "@clicks/core/testing/HotClicksMemory"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { plainClick } from "../../../core/test/contract/clicks/plainClick.ts"
import * as ClickMover from "../../src/clicks/ClickMover.ts"

const tiers = Layer.mergeAll(HotClicksMemory.layer, ClickArchiveMemory.layer)

let refused = 0

const refusing = Layer.effect(
  ClickArchive,
  ClickArchive.useSync((archive) => ({
    ...archive,
    write: () =>
      Effect.suspend(() => {
        refused++
        return Effect.fail(
          new ClickStoreError({ operation: "write", reason: "HistoryUnavailable", cause: "full" })
        )
      })
  }))
).pipe(Layer.provide(ClickArchiveMemory.layer))

layer(tiers)("ClickMover", (it) => {
  it.effect("moves clicks as they arrive, and removes them from the hot store after a day", () =>
    Effect.gen(function* () {
      const store = yield* ClickStore
      const mover = ClickMover.layer({ every: "20 minutes" })
      yield* Layer.build(Layer.merge(mover, Layer.fresh(mover)))
      for (const mark of [1, 2]) {
        yield* store.insert([plainClick({ occurred_at: new Date("1969-12-31T00:00:00Z") })])
        yield* TestClock.adjust("20 minutes")
        assert.strictEqual((yield* HotClicks.use((hot) => hot.cut))?.mark, mark)
        assert.strictEqual((yield* ClickArchive.use((archive) => archive.check(mark))).count, 1)
      }
      yield* TestClock.adjust("22 hours")
      assert.lengthOf(yield* Stream.runCollect(store.stream({})), 2)
      yield* TestClock.adjust("3 hours")
      assert.lengthOf(yield* Stream.runCollect(store.stream({})), 0)
    })
  )
})

layer(Layer.mergeAll(HotClicksMemory.layer, refusing))("ClickMover with an archive that is full", (it) => {
  it.effect("retries at most once a minute, because reads list each failed attempt", () =>
    Effect.gen(function* () {
      yield* ClickStore.use(({ insert }) => insert([plainClick()]))
      yield* Layer.build(ClickMover.layer())
      yield* TestClock.adjust("1 hour")
      assert.isAbove(refused, 55)
      assert.isBelow(refused, 70)
    })
  )
})
