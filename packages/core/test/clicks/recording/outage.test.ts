import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Logger, Ref, Result } from "effect"
import { TestClock } from "effect/testing"
import { ClickStore, ClickStoreError } from "../../../src/clicks/ClickStore.ts"
import * as ClickStoreMemory from "../../../src/clicks/ClickStoreMemory.ts"
import * as ClickRecorder from "../../../src/clicks/recording/ClickRecorder.ts"
import * as QuarantineMemory from "../../../src/clicks/recording/QuarantineMemory.ts"
import { Spool, SpoolError } from "../../../src/clicks/recording/spool/Spool.ts"
import * as Outage from "../../../src/Outage.ts"
import * as SpoolMemory from "../../contract/clicks/SpoolMemory.ts"
import { withSettableClock } from "../../settableClock.ts"

const origin = { userId: null, ipAddress: null, userAgent: null }
const clicks = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    body: { product_id: `p-${index}`, action: "view", source: "web" },
    origin
  }))

/** A recorder on a store that takes `delay` for each batch, or never responds. */
const world = Effect.gen(function* () {
  const delay = yield* Ref.make(0)
  const log: Array<string> = []
  const store = Layer.effect(
    ClickStore,
    Effect.map(ClickStore, (memory) => ({
      ...memory,
      insert: (batch) =>
        Effect.flatMap(Ref.get(delay), (millis) =>
          millis === Number.POSITIVE_INFINITY
            ? Effect.never
            : Effect.andThen(Effect.sleep(millis), memory.insert(batch))
        )
    }))
  ).pipe(Layer.provide(ClickStoreMemory.layer))
  const logger = Logger.layer([
    Logger.make(({ message }) => {
      log.push(String(message))
    })
  ])
  const context = yield* Layer.build(
    ClickRecorder.layerSpooled().pipe(
      Layer.provideMerge(Layer.mergeAll(store, QuarantineMemory.layer, SpoolMemory.layer(), Outage.layer)),
      Layer.provide(logger)
    )
  )
  const provided = Effect.provideContext(context)
  const outcomes = (
    results: Effect.Success<ReturnType<ClickRecorder.ClickRecorder["Service"]["recordAll"]>>
  ) => new Set(results.map((result) => Result.getOrThrow(result).outcome as string))
  const record = (count = 1) =>
    ClickRecorder.ClickRecorder.use(({ recordAll }) => Effect.map(recordAll(clicks(count)), outcomes)).pipe(
      provided
    )
  const depth = Spool.use(({ status }) => Effect.map(status, (found) => found.depth)).pipe(provided)
  const isOn = Outage.Outage.use((outage) => outage.isOn).pipe(provided)
  const begin = Outage.Outage.use((outage) => outage.began).pipe(provided)

  /** Makes the store hang and waits until the outage begins. */
  const silence = Effect.gen(function* () {
    yield* Ref.set(delay, Number.POSITIVE_INFINITY)
    const first = yield* Effect.forkChild(record())
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(yield* Fiber.join(first), new Set(["spooled"]))
  })
  return { begin, delay, depth, isOn, log, record, silence }
})

describe("an outage", () => {
  it.effect("spools clicks without waiting for the store, however long it lasts", () =>
    Effect.gen(function* () {
      const { depth, record, silence } = yield* world
      yield* silence
      for (let minute = 0; minute < 10; minute++) {
        // The clock stands still while these are recorded, so waiting for the store would never end.
        for (let n = 0; n < 20; n++) assert.deepStrictEqual(yield* record(), new Set(["spooled"]))
        yield* TestClock.adjust("1 minute")
      }
      assert.strictEqual(yield* depth, 201)
    })
  )

  it.effect("abandons the batches in progress when it begins", () =>
    Effect.gen(function* () {
      const { delay, record } = yield* world
      yield* Ref.set(delay, Number.POSITIVE_INFINITY)
      const first = yield* Effect.forkChild(record())
      yield* TestClock.adjust("1900 millis")
      const second = yield* Effect.forkChild(record(50))
      yield* TestClock.adjust("100 millis")
      assert.deepStrictEqual(yield* Fiber.join(first), new Set(["spooled"]))
      assert.deepStrictEqual(yield* Fiber.join(second), new Set(["spooled"]))
    })
  )

  it.effect("begins in time even if the clock is set back while the store hangs", () =>
    withSettableClock(
      Effect.fnUntraced(function* (setBack) {
        const { delay, record } = yield* world
        yield* Ref.set(delay, Number.POSITIVE_INFINITY)
        const first = yield* Effect.forkChild(record())
        yield* TestClock.adjust("1 second")
        yield* setBack("1 minute")
        yield* TestClock.adjust("1 second")
        const outcome = first.pollUnsafe()
        // A recorder that is still waiting could not close.
        yield* TestClock.adjust("2 minutes")
        assert.deepStrictEqual(outcome, Exit.succeed(new Set(["spooled"])))
      })
    )
  )

  it.effect("ends within a second after the store has recovered", () =>
    Effect.gen(function* () {
      const { delay, depth, log, record, silence } = yield* world
      yield* silence
      yield* TestClock.adjust("1 minute")
      yield* Ref.set(delay, 0)
      // The drain may still wait up to five seconds for the response of the store that hung.
      yield* TestClock.adjust("6 seconds")
      assert.deepStrictEqual(yield* record(), new Set(["stored"]))
      assert.strictEqual(yield* depth, 0)
      assert.deepStrictEqual(
        log.filter((line) => line.startsWith("The database")),
        ["The database is unavailable; spooling clicks until it is back", "The database is available again"]
      )
    })
  )

  it.effect("ends within a second if a single slow insert caused it", () =>
    Effect.gen(function* () {
      const { delay, record } = yield* world
      yield* Ref.set(delay, 2100)
      const slow = yield* Effect.forkChild(record())
      yield* TestClock.adjust("1999 millis")
      yield* Ref.set(delay, 0)
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* Fiber.join(slow), new Set(["spooled"]))
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* record(), new Set(["stored"]))
    })
  )

  it.effect("continues while the store is slow, but the spool is drained", () =>
    Effect.gen(function* () {
      const { delay, depth, isOn, log, record, silence } = yield* world
      yield* silence
      yield* Ref.set(delay, 3000)
      for (let minute = 0; minute < 5; minute++) {
        assert.deepStrictEqual(yield* record(100), new Set(["spooled"]))
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* depth, 0)
        assert.isTrue(yield* isOn)
      }
      assert.lengthOf(
        log.filter((line) => line.startsWith("The database")),
        1
      )
    })
  )

  it.effect("ends even without clicks to drain", () =>
    Effect.gen(function* () {
      const { begin, isOn, record } = yield* world
      yield* begin
      assert.isTrue(yield* isOn)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* record(), new Set(["stored"]))
    })
  )
})

describe("an outage with a spool that cannot be read", () => {
  it.effect("ends when the store has recovered", () =>
    Effect.gen(function* () {
      const isAway = yield* Ref.make(true)
      const away = new ClickStoreError({ operation: "insert", reason: "Unavailable", cause: "away" })
      const broken = new SpoolError({ operation: "peek", reason: "Unavailable", cause: "no disk" })
      const store = Layer.effect(
        ClickStore,
        Effect.map(ClickStore, (memory) => ({
          ...memory,
          insert: (batch) => Effect.flatMap(Ref.get(isAway), (is) => (is ? away : memory.insert(batch)))
        }))
      ).pipe(Layer.provide(ClickStoreMemory.layer))
      const spool = Layer.effect(
        Spool,
        Effect.map(Spool, (memory) => ({ ...memory, append: () => broken, peek: () => broken }))
      ).pipe(Layer.provide(SpoolMemory.layer()))
      yield* Effect.gen(function* () {
        const { record } = yield* ClickRecorder.ClickRecorder
        const [click] = clicks(1)
        assert.isDefined(click)
        const first = yield* Effect.forkChild(record(click))
        yield* TestClock.adjust("2 seconds")
        assert.strictEqual((yield* Fiber.join(first)).outcome, "dropped")
        yield* Ref.set(isAway, false)
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* record(click)).outcome, "stored")
      }).pipe(
        Effect.provide(
          ClickRecorder.layerSpooled().pipe(
            Layer.provide(Layer.mergeAll(store, QuarantineMemory.layer, spool, Outage.layer))
          )
        )
      )
    })
  )
})
