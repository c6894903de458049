import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { plainClick, plainClicks } from "../../contract/clicks/plainClick.ts"
import { at, changedTiers } from "./changedTiers.ts"

describe("the mover", () => {
  it.effect("moves clicks once, and keeps them in the hot store for a day", () =>
    Effect.gen(function* () {
      const { left, move, store, sweep, total } = yield* changedTiers()
      yield* store.insert(plainClicks(5, at("1969-12-31T00:00:00Z")))
      assert.strictEqual(yield* move, 5)
      assert.strictEqual(yield* move, 0)
      yield* TestClock.adjust("23 hours")
      assert.strictEqual(yield* sweep, 0)
      assert.strictEqual(yield* left, 5)
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(yield* sweep, 5)
      assert.strictEqual(yield* left, 0)
      assert.strictEqual(yield* total(), 5)
    })
  )

  it.effect("abandons an attempt whose clicks the archive does not hold exactly as sent", () =>
    Effect.gen(function* () {
      let damage: "lost" | "doubled" | "none" = "lost"
      const { cut, move, store, total } = yield* changedTiers({
        archive: (archive) => ({
          write: (attempt, clicks) =>
            Effect.gen(function* () {
              const sent = yield* archive.write(attempt, clicks)
              if (damage === "doubled") yield* archive.write(attempt, Stream.make(plainClick()))
              if (damage === "lost") yield* archive.forget([attempt])
              return sent
            })
        })
      })
      yield* store.insert(plainClicks(3))
      const lost = yield* Effect.flip(move)
      assert.include(lost.message, "holds 0 clicks under attempt 1 instead of 3")
      damage = "doubled"
      const doubled = yield* Effect.flip(move)
      assert.include(doubled.message, "holds 4 clicks under attempt 2 instead of 3")
      assert.isNull(yield* cut)
      damage = "none"
      assert.strictEqual(yield* move, 3)
      assert.deepInclude(yield* cut, { mark: 3, abandoned: [1, 2] })
      assert.strictEqual(yield* total(), 3)
    })
  )

  it.effect("abandons an attempt if the hot store emits fewer clicks than it counted", () =>
    Effect.gen(function* () {
      let isShort = true
      const { move, store, total } = yield* changedTiers({
        batches: ({ begin }) => ({
          begin: (silentFor) =>
            Effect.map(
              begin(silentFor),
              (batch) => batch && { ...batch, clicks: isShort ? Stream.take(batch.clicks, 2) : batch.clicks }
            )
        })
      })
      yield* store.insert(plainClicks(3))
      assert.strictEqual(yield* move, 0)
      isShort = false
      assert.strictEqual(yield* move, 3)
      assert.strictEqual(yield* total(), 3)
    })
  )

  it.effect("abandons an attempt if the archive already has clicks under its number", () =>
    Effect.gen(function* () {
      const { archive, cut, move, store, total } = yield* changedTiers()
      yield* archive.write(1, Stream.fromArray(plainClicks(2)))
      yield* store.insert(plainClicks(3))
      const error = yield* Effect.flip(move)
      assert.include(error.message, "holds 2 clicks under attempt 1 instead of 0")
      assert.strictEqual(yield* move, 3)
      assert.deepInclude(yield* cut, { mark: 2, abandoned: [1] })
      assert.strictEqual(yield* total(), 3)
    })
  )

  it.effect("uses up no number while the archive is unavailable", () =>
    Effect.gen(function* () {
      const { cut, move, state, store } = yield* changedTiers()
      yield* store.insert(plainClicks(3))
      state.isDown = true
      for (let count = 0; count < 5; count++) yield* Effect.flip(move)
      state.isDown = false
      assert.strictEqual(yield* move, 3)
      assert.deepInclude(yield* cut, { mark: 1, abandoned: [] })
    })
  )

  it.effect("abandons its attempt when it is stopped", () =>
    Effect.gen(function* () {
      let isStuck = true
      const { move, store } = yield* changedTiers({
        archive: (archive) => ({
          write: (...args) => (isStuck ? Effect.never : archive.write(...args))
        })
      })
      yield* store.insert(plainClicks(3))
      const mover = yield* Effect.forkChild(move, { startImmediately: true })
      yield* Effect.yieldNow
      assert.strictEqual(yield* move, 0)
      yield* Fiber.interrupt(mover)
      isStuck = false
      assert.strictEqual(yield* move, 3)
    })
  )
})
