import { assert, describe, it } from "@effect/vitest"
import { Deferred, Duration, Effect, Fiber, Layer, Option, Queue, Ref, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { ApiKeys, type RevocationSignal } from "../../src/access/ApiKeys.ts"
import * as SenderKeys from "../../src/access/SenderKeys.ts"
import { ClickStore } from "../../src/clicks/ClickStore.ts"
import * as ClickStoreMemory from "../../src/clicks/ClickStoreMemory.ts"
import * as ClickRecorder from "../../src/clicks/recording/ClickRecorder.ts"
import * as QuarantineMemory from "../../src/clicks/recording/QuarantineMemory.ts"
import * as Outage from "../../src/Outage.ts"
import { PortError } from "../../src/values/PortError.ts"
import * as ApiKeysMemory from "../contract/access/ApiKeysMemory.ts"
import * as SpoolMemory from "../contract/clicks/SpoolMemory.ts"
import { withSettableClock } from "../settableClock.ts"

type Mode = "up" | "away" | "silent"

const away = new PortError({ port: "API keys", operation: "verify", cause: "away" })

/** Keys whose state and signals are controlled by the test. */
const world = Effect.gen(function* () {
  const mode = yield* Ref.make<Mode>("up")
  const signals = yield* Queue.unbounded<RevocationSignal>()
  const inner = Layer.effect(
    ApiKeys,
    Effect.map(ApiKeys, (memory) => ({
      ...memory,
      revocations: Stream.fromQueue(signals),
      verify: (secret) =>
        Effect.flatMap(Ref.get(mode), (now) => {
          if (now === "silent") return Effect.never
          return now === "up" ? memory.verify(secret) : away
        })
    }))
  ).pipe(Layer.provide(ApiKeysMemory.layer))
  const context = yield* Layer.build(
    SenderKeys.layer.pipe(Layer.provideMerge(Layer.mergeAll(inner, Outage.layer)))
  )
  const { keys, outage, senders } = yield* Effect.all({
    keys: ApiKeys,
    outage: Outage.Outage,
    senders: SenderKeys.SenderKeys
  }).pipe(Effect.provideContext(context))
  const { key, secret } = yield* keys.create({ user_id: "anna", role: "reader", name: null })
  const user = Effect.map(Effect.result(senders.verify(secret)), (result) =>
    Result.isSuccess(result) && Option.isSome(result.success) ? result.success.value.user_id : "unknown"
  )
  /** Who may read with the key. */
  const reader = Effect.map(Effect.result(senders.verifyAccess(secret)), (result) =>
    Result.isFailure(result) ? result.failure._tag : Option.getOrUndefined(result.success)?.user_id
  )
  /** Sends a signal. When this returns, it and all earlier ones have been processed. */
  const tell = (signal: RevocationSignal) =>
    Effect.andThen(Queue.offer(signals, signal), TestClock.adjust("1 millis"))
  yield* tell({ _tag: "Listening" })
  return { context, key, mode, outage, reader, secret, senders, tell, user }
})

describe("the key of a click", () => {
  it.effect("identifies its user during an outage, without waiting, however long it lasts", () =>
    Effect.gen(function* () {
      const { mode, outage, user } = yield* world
      assert.strictEqual(yield* user, "anna")
      yield* Ref.set(mode, "silent")
      yield* outage.began
      yield* TestClock.adjust("1 day")
      // The clock stands still: a wait for the keys would never end.
      for (let n = 0; n < 20; n++) assert.strictEqual(yield* user, "anna")
    })
  )

  it.effect("identifies its user during an outage after it was used only for reading", () =>
    Effect.gen(function* () {
      const { mode, outage, reader, user } = yield* world
      assert.strictEqual(yield* reader, "anna")
      yield* Ref.set(mode, "silent")
      yield* outage.began
      assert.strictEqual(yield* user, "anna")
    })
  )

  it.effect("grants no access from the cache, and is rejected at once, during an outage", () =>
    Effect.gen(function* () {
      const { mode, outage, reader, user } = yield* world
      assert.strictEqual(yield* user, "anna")
      yield* Ref.set(mode, "silent")
      yield* outage.began
      // The clock stands still: a wait for the keys would never end.
      for (let n = 0; n < 20; n++) assert.strictEqual(yield* reader, "PortError")
    })
  )

  it.effect("identifies no user in an outage if it was used for reading without a listener", () =>
    Effect.gen(function* () {
      const { mode, reader, tell, user } = yield* world
      yield* tell({ _tag: "Deaf" })
      assert.strictEqual(yield* reader, "anna")
      yield* Ref.set(mode, "away")
      assert.strictEqual(yield* user, "unknown")
    })
  )

  it.effect("does not begin an outage if its lookup for reading is late", () =>
    Effect.gen(function* () {
      const { mode, outage, reader } = yield* world
      yield* Ref.set(mode, "silent")
      const reading = yield* Effect.forkChild(reader)
      // The key is hashed first, on a thread that no test clock waits for.
      yield* TestClock.adjust("1 second").pipe(
        Effect.andThen(Effect.promise(() => new Promise(setImmediate))),
        Effect.repeat({ until: () => reading.pollUnsafe() !== undefined })
      )
      assert.strictEqual(yield* Fiber.join(reading), "PortError")
      assert.isFalse(yield* outage.isOn)
    })
  )

  it.effect("identifies no user, without waiting, if it was not used before the outage", () =>
    Effect.gen(function* () {
      const { mode, outage, user } = yield* world
      yield* Ref.set(mode, "silent")
      yield* outage.began
      assert.strictEqual(yield* user, "unknown")
    })
  )

  it.effect("identifies no user if another process revoked it before the outage", () =>
    Effect.gen(function* () {
      const { key, mode, tell, user } = yield* world
      yield* user
      yield* tell({ _tag: "Revoked", id: "another" })
      yield* Ref.set(mode, "away")
      assert.strictEqual(yield* user, "anna")
      yield* tell({ _tag: "Revoked", id: key.id })
      assert.strictEqual(yield* user, "unknown")
    })
  )

  it.effect("is not cached if it is revoked during its lookup", () =>
    Effect.gen(function* () {
      const signals = yield* Queue.unbounded<RevocationSignal>()
      const [asked, answered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const inner = Layer.effect(
        ApiKeys,
        Effect.map(ApiKeys, (memory) => ({
          ...memory,
          revocations: Stream.fromQueue(signals),
          verify: (secret) =>
            Effect.gen(function* () {
              const found = yield* memory.verify(secret)
              if (!(yield* Deferred.succeed(asked, undefined))) return yield* away
              yield* Deferred.await(answered)
              return found
            })
        }))
      ).pipe(Layer.provide(ApiKeysMemory.layer))
      yield* Effect.gen(function* () {
        const { verify } = yield* SenderKeys.SenderKeys
        const { key, secret } = yield* ApiKeys.use((keys) =>
          keys.create({ user_id: "anna", role: "reader", name: null })
        )
        yield* Queue.offer(signals, { _tag: "Listening" })
        yield* TestClock.adjust("1 millis")
        const looking = yield* Effect.forkChild(verify(secret))
        yield* Deferred.await(asked)
        yield* Queue.offer(signals, { _tag: "Revoked", id: key.id })
        yield* TestClock.adjust("1 millis")
        yield* Deferred.succeed(answered, undefined)
        yield* Fiber.join(looking)
        yield* Effect.flip(verify(secret))
      }).pipe(Effect.provide(SenderKeys.layer.pipe(Layer.provideMerge(Layer.merge(inner, Outage.layer)))))
    })
  )

  it.effect("identifies its user if the listener is lost together with the database", () =>
    Effect.gen(function* () {
      const { mode, tell, user } = yield* world
      yield* user
      yield* tell({ _tag: "Deaf" })
      yield* TestClock.adjust("1 hour")
      yield* Ref.set(mode, "away")
      assert.strictEqual(yield* user, "anna")
    })
  )

  it.effect("identifies no user if the database responded after the listener was lost", () =>
    Effect.gen(function* () {
      const { mode, outage, tell, user } = yield* world
      yield* user
      yield* tell({ _tag: "Deaf" })
      yield* TestClock.adjust("2 seconds")
      yield* outage.answered(Duration.zero)
      yield* Ref.set(mode, "away")
      assert.strictEqual(yield* user, "unknown")
    })
  )

  it.effect(
    "identifies no user if the database responded after the listener was lost and the clock was set back",
    () =>
      withSettableClock(
        Effect.fnUntraced(function* (setBack) {
          const { mode, outage, tell, user } = yield* world
          yield* user
          yield* tell({ _tag: "Deaf" })
          yield* setBack("1 hour")
          yield* TestClock.adjust("2 seconds")
          yield* outage.answered(Duration.zero)
          yield* Ref.set(mode, "away")
          assert.strictEqual(yield* user, "unknown")
        })
      )
  )

  it.effect("identifies no user during an outage if it was verified while the listener was down", () =>
    Effect.gen(function* () {
      const { mode, tell, user } = yield* world
      yield* tell({ _tag: "Deaf" })
      assert.strictEqual(yield* user, "anna")
      yield* Ref.set(mode, "away")
      assert.strictEqual(yield* user, "unknown")
    })
  )

  it.effect("is removed from the cache when the listener reconnects", () =>
    Effect.gen(function* () {
      const { mode, tell, user } = yield* world
      yield* user
      yield* tell({ _tag: "Deaf" })
      yield* tell({ _tag: "Listening" })
      yield* Ref.set(mode, "away")
      assert.strictEqual(yield* user, "unknown")
      yield* Ref.set(mode, "up")
      yield* user
      yield* Ref.set(mode, "away")
      assert.strictEqual(yield* user, "anna")
    })
  )

  it.effect("saves its click a second wait, for the store, if its lookup times out", () =>
    Effect.gen(function* () {
      const { context, mode, user } = yield* world
      const silent = Layer.effect(
        ClickStore,
        Effect.map(ClickStore, (memory) => ({ ...memory, insert: () => Effect.never }))
      ).pipe(Layer.provide(ClickStoreMemory.layer))
      const recorder = ClickRecorder.layerSpooled().pipe(
        Layer.provide([silent, QuarantineMemory.layer, SpoolMemory.layer(), Layer.succeedContext(context)])
      )
      yield* user
      yield* Ref.set(mode, "silent")
      yield* Effect.gen(function* () {
        const { record } = yield* ClickRecorder.ClickRecorder
        const looking = yield* Effect.forkChild(user)
        // The key is hashed first, on a thread that no test clock waits for.
        yield* TestClock.adjust("1 second").pipe(
          Effect.andThen(Effect.promise(() => new Promise(setImmediate))),
          Effect.repeat({ until: () => looking.pollUnsafe() !== undefined })
        )
        const userId = yield* Fiber.join(looking)
        assert.strictEqual(userId, "anna")
        const receipt = yield* record({
          body: { product_id: "p-1", action: "view", source: "web" },
          origin: { userId, ipAddress: null, userAgent: null }
        })
        assert.strictEqual(receipt.outcome, "spooled")
      }).pipe(Effect.provide(recorder))
    })
  )
})
