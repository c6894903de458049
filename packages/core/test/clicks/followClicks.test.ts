import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Fiber, Layer, Queue, Ref, Stream } from "effect"
import { TestClock } from "effect/testing"
import { ClickArrivals } from "../../src/clicks/ClickArrivals.ts"
import type { ClickEvent } from "../../src/clicks/ClickEvent.ts"
import type { ClickFilter } from "../../src/clicks/ClickFilter.ts"
import { ClickStore, ClickStoreError } from "../../src/clicks/ClickStore.ts"
import * as ClickStoreMemory from "../../src/clicks/ClickStoreMemory.ts"
import { followClicks } from "../../src/clicks/followClicks.ts"
import * as Uuid from "../../src/values/Uuid.ts"
import { arbitraryClick } from "../contract/clicks/arbitraryClicks.ts"
import * as ClickArrivalsMemory from "../contract/clicks/ClickArrivalsMemory.ts"

const [template] = Effect.runSync(Arbitrary.sampleEffect(arbitraryClick, { count: 1, seed: 1 }))

const click = (source: string): ClickEvent => {
  if (template === undefined) throw new Error("no click was generated")
  return { ...template, id: Uuid.make(0), source }
}

const insert = (...clicks: ReadonlyArray<ClickEvent>) => ClickStore.use((store) => store.insert(clicks))

const stores = ClickArrivalsMemory.layer.pipe(Layer.provideMerge(ClickStoreMemory.layer))

/** Follows in the background. The queues receive the clicks and the calls of the callbacks. */
const follow = Effect.fnUntraced(function* (filter: ClickFilter) {
  const printed = yield* Queue.unbounded<string>()
  const told = yield* Queue.unbounded<string>()
  const fiber = yield* followClicks(filter, {
    onStart: Effect.void,
    onAway: (error) => Effect.asVoid(Queue.offer(told, error.message)),
    onBack: Effect.asVoid(Queue.offer(told, "back"))
  }).pipe(
    Stream.runForEach((found) => Queue.offer(printed, found.source)),
    Effect.forkChild({ startImmediately: true })
  )
  return { printed, told, fiber }
})

const away = new ClickStoreError({ operation: "since", reason: "Unavailable", cause: "away" })

describe("followClicks", () => {
  it.effect("emits clicks stored from now on, and none from before", () =>
    Effect.gen(function* () {
      yield* insert(click("before"))
      const { printed } = yield* follow({})
      yield* insert(click("one"), click("two"))
      yield* TestClock.adjust("1 second")
      assert.sameMembers(yield* Queue.takeAll(printed), ["one", "two"])
      yield* insert(click("three"))
      yield* TestClock.adjust("250 millis")
      assert.deepStrictEqual(yield* Queue.takeAll(printed), ["three"])
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(yield* Queue.size(printed), 0)
    }).pipe(Effect.provide(stores))
  )

  it.effect("emits only matching clicks", () =>
    Effect.gen(function* () {
      const { printed } = yield* follow({ source: "web" })
      yield* insert(click("app"), click("web"), click("mail"))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* Queue.takeAll(printed), ["web"])
    }).pipe(Effect.provide(stores))
  )

  it.effect("waits while the store is down, logs it once, and emits the clicks stored meanwhile", () =>
    Effect.gen(function* () {
      const isAway = yield* Ref.make(false)
      const inner = yield* ClickArrivals
      const arrivals = Layer.succeed(ClickArrivals, {
        ...inner,
        since: (...parameters) =>
          Effect.flatMap(Ref.get(isAway), (fails) => (fails ? away : inner.since(...parameters)))
      })
      yield* Effect.gen(function* () {
        const { printed, told } = yield* follow({})
        yield* Ref.set(isAway, true)
        yield* insert(click("meanwhile"))
        yield* TestClock.adjust("10 minutes")
        assert.deepStrictEqual(yield* Queue.takeAll(told), ["The click store cannot be reached (since)"])
        assert.strictEqual(yield* Queue.size(printed), 0)
        yield* Ref.set(isAway, false)
        yield* TestClock.adjust("2 seconds")
        assert.deepStrictEqual(yield* Queue.takeAll(printed), ["meanwhile"])
        assert.deepStrictEqual(yield* Queue.takeAll(told), ["back"])
      }).pipe(Effect.provide(arrivals))
    }).pipe(Effect.provide(stores))
  )

  it.effect("fails when the store is down at the start", () =>
    Effect.gen(function* () {
      const { fiber } = yield* follow({})
      assert.deepStrictEqual(yield* Effect.flip(Fiber.join(fiber)), away)
    }).pipe(
      Effect.updateService(ClickArrivals, (inner) => ({ ...inner, now: away })),
      Effect.provide(stores)
    )
  )
})
