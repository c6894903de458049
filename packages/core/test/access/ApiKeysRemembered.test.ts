import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Ref, Result } from "effect"
import { TestClock } from "effect/testing"
import { ApiKeys, ApiKeysError } from "../../src/access/ApiKeys.ts"
import * as ApiKeysMemory from "../../src/access/ApiKeysMemory.ts"
import * as ApiKeysRemembered from "../../src/access/ApiKeysRemembered.ts"
import * as Outage from "../../src/Outage.ts"

type Mode = "up" | "away" | "silent"

/** Remembered keys over ones whose state a test decides. */
const world = Effect.gen(function* () {
  const mode = yield* Ref.make<Mode>("up")
  const inner = Layer.effect(
    ApiKeys,
    Effect.map(ApiKeys, (memory) => ({
      ...memory,
      verify: (secret) =>
        Effect.flatMap(Ref.get(mode), (now) => {
          if (now === "silent") return Effect.never
          return now === "up"
            ? memory.verify(secret)
            : new ApiKeysError({ operation: "verify", cause: "away" })
        })
    }))
  ).pipe(Layer.provide(ApiKeysMemory.layer))
  const context = yield* Layer.build(ApiKeysRemembered.layer.pipe(Layer.provide([inner, Outage.layer])))
  const keys = yield* Effect.provideContext(ApiKeys, context)
  const made = yield* keys.create({ user_id: "anna", role: "reader", name: null })
  const user = Effect.map(Effect.result(keys.verify(made.secret)), (result) =>
    Result.isFailure(result) ? "unknown" : Option.map(result.success, (key) => key.user_id)
  )
  return { keys, made, mode, user }
})

describe("keys that are remembered", () => {
  it.effect("still name their user while the keys are away, for an hour", () =>
    Effect.gen(function* () {
      const { mode, user } = yield* world
      yield* user
      yield* Ref.set(mode, "away")
      assert.deepStrictEqual(yield* user, Option.some("anna"))
      yield* TestClock.adjust("2 hours")
      assert.strictEqual(yield* user, "unknown")
    })
  )

  it.live("are waited for once, not by every caller, while nobody answers", () =>
    Effect.gen(function* () {
      const { mode, user } = yield* world
      yield* user
      yield* Ref.set(mode, "silent")
      assert.deepStrictEqual(yield* user, Option.some("anna"))
      const others = yield* Effect.timeout(Effect.all(Array.from({ length: 20 }, () => user)), "900 millis")
      assert.deepStrictEqual(others[19], Option.some("anna"))
    })
  )

  it.effect("are forgotten when they are revoked, or found to be", () =>
    Effect.gen(function* () {
      const { keys, made, mode, user } = yield* world
      yield* user
      yield* keys.revoke(made.key.id)
      assert.deepStrictEqual(yield* user, Option.none())
      yield* Ref.set(mode, "away")
      assert.strictEqual(yield* user, "unknown")
    })
  )

  it.effect("are no substitute for a key that was never seen", () =>
    Effect.gen(function* () {
      const { keys, mode } = yield* world
      yield* Ref.set(mode, "away")
      yield* Effect.flip(keys.verify(Redacted.make("clk_other")))
    })
  )
})
