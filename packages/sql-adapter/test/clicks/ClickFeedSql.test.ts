import { ClickArrivals } from "@clicks/core/clicks/ClickArrivals"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as ClickFeed from "@clicks/core/clicks/feed/ClickFeed"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Arbitrary, Effect, Fiber, Layer, Queue } from "effect"
import { format, readEvents } from "../../../core/test/clicks/feed/feedTexts.ts"
import { arbitraryClick } from "../../../core/test/contract/clicks/arbitraryClicks.ts"
import * as ClickArrivalsSql from "../../src/clicks/ClickArrivalsSql.ts"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import * as TestDatabase from "../TestDatabase.ts"

const [template] = Effect.runSync(Arbitrary.sampleEffect(arbitraryClick, { count: 1, seed: 1 }))

const click = (): ClickEvent => {
  if (template === undefined) throw new Error("no click was generated")
  return { ...template, id: Uuid.make(0) }
}

const stores = Layer.merge(ClickArrivalsSql.layer, ClickStoreSql.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

/** A feed like that of another process. */
const newFeed = Effect.map(Layer.build(Layer.fresh(ClickFeed.layer({ format, maxReaders: 10 }))), (context) =>
  ClickFeed.ClickFeed.pipe(Effect.provideContext(context))
).pipe(Effect.flatten)

layer(stores, { excludeTestServices: true })("ClickFeed on PostgreSQL", (it) => {
  it.effect("sends each click once to a reader that moves between processes, while clicks are stored", () =>
    Effect.gen(function* () {
      const store = yield* ClickStore
      const batches = Array.from({ length: 150 }, () => Array.from({ length: 20 }, click))
      const { now } = yield* ClickArrivals
      const start = yield* now
      const feeds = [yield* newFeed, yield* newFeed]
      const storing = yield* Effect.forEach(batches, (batch) => store.insert(batch), {
        concurrency: 6,
        discard: true
      }).pipe(Effect.forkChild)
      const got: Array<string> = []
      let position = start
      for (let visit = 0; got.length < 3_000; visit++) {
        yield* Effect.gen(function* () {
          // Every third process has just started.
          const feed = visit % 3 === 2 ? yield* newFeed : feeds[visit % 2]
          if (feed === undefined) return
          const { events } = yield* readEvents(feed, {}, position)
          for (let left = (visit * 37) % 150; left >= 0 && got.length < 3_000; left--) {
            const event = yield* Queue.take(events)
            position = event.position
            if (event.id !== undefined) got.push(event.id)
          }
        }).pipe(Effect.scoped)
      }
      yield* Fiber.join(storing)
      assert.strictEqual(new Set(got).size, 3_000)
      assert.sameMembers(
        got,
        batches.flat().map(({ id }) => id)
      )
    })
  )
})
