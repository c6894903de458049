import { assert, describe, it } from "@effect/vitest"
import { type Duration, Effect, Exit, Fiber, Layer, Logger, Option, Ref, Result, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import { ClickStore, ClickStoreError } from "../../../src/clicks/ClickStore.ts"
import * as ClickStoreMemory from "../../../src/clicks/ClickStoreMemory.ts"
import * as ClickRecorder from "../../../src/clicks/recording/ClickRecorder.ts"
import { Quarantine } from "../../../src/clicks/recording/Quarantine.ts"
import * as QuarantineMemory from "../../../src/clicks/recording/QuarantineMemory.ts"
import { drain, drainForever } from "../../../src/clicks/recording/spool/drainSpool.ts"
import { Spool, SpoolError } from "../../../src/clicks/recording/spool/Spool.ts"
import * as Outage from "../../../src/Outage.ts"
import * as SpoolMemory from "../../contract/clicks/SpoolMemory.ts"
import { spooledClick } from "../../contract/clicks/spooledClicks.ts"

const origin = { userId: null, ipAddress: null, userAgent: null }
const click = (product_id: string, extra: object = {}) => ({
  body: { product_id, action: "view", source: "web", ...extra },
  origin
})
const away = new ClickStoreError({ operation: "insert", reason: "Unavailable", cause: "away" })
const refused = new ClickStoreError({ operation: "insert", reason: "Refused", cause: "poison" })

const noHistory = new ClickStoreError({ operation: "insert", reason: "HistoryUnavailable", cause: "away" })

type Mode = "up" | "away" | "silent" | "broken" | "slow" | "without history"

/** A store whose state is controlled by the test. It rejects the product "poison" and counts its calls. */
const world = (maxDepth?: number) =>
  Effect.gen(function* () {
    const mode = yield* Ref.make<Mode>("up")
    const asked = yield* Ref.make(0)
    const store = Layer.effect(
      ClickStore,
      Effect.map(ClickStore, (memory) => ({
        ...memory,
        insert: (batch) =>
          Effect.gen(function* () {
            yield* Ref.update(asked, (n) => n + 1)
            const now = yield* Ref.get(mode)
            if (now === "silent") return yield* Effect.never
            if (now === "away") return yield* away
            if (now === "slow") yield* Effect.sleep("1 second")
            if (now === "without history" && batch.some((event) => event.product_id === "old"))
              return yield* noHistory
            if (now === "broken") return yield* Effect.die("a bug")
            if (batch.some((event) => event.product_id === "poison")) return yield* refused
            return yield* memory.insert(batch)
          })
      }))
    ).pipe(Layer.provide(ClickStoreMemory.layer))
    const ports = Layer.mergeAll(store, QuarantineMemory.layer, SpoolMemory.layer(maxDepth), Outage.layer)
    const context = yield* Layer.build(ports)
    const recorder = yield* Layer.build(
      ClickRecorder.layerSpooled().pipe(Layer.provide(Layer.succeedContext(context)))
    )
    const all = Effect.provideContext(
      ClickStore.use((clicks) => Stream.runCollect(clicks.stream({}))),
      context
    )
    const depth = Effect.provideContext(
      Spool.use((spool) => Effect.map(spool.status, (status) => status.depth)),
      context
    )
    const record = (...submissions: ReadonlyArray<ReturnType<typeof click>>) =>
      Effect.gen(function* () {
        const service = yield* Effect.provideContext(ClickRecorder.ClickRecorder, recorder)
        const fiber = yield* Effect.forkChild(service.recordAll(submissions))
        yield* TestClock.adjust("3 seconds")
        const results = yield* Fiber.join(fiber)
        return results.map((result) => Option.getOrUndefined(Result.getSuccess(result))?.outcome)
      })
    return { all, asked, context, depth, mode, record }
  })

describe("an unavailable store", () => {
  it.effect.each(["away", "silent"] as const)(
    "(%s) causes clicks to wait in the spool, and gets each once after it has recovered",
    (trouble) =>
      Effect.gen(function* () {
        const { all, depth, mode, record } = yield* world()
        yield* Ref.set(mode, trouble)
        assert.deepStrictEqual(yield* record(click("a"), click("b")), ["spooled", "spooled"])
        assert.strictEqual(yield* depth, 2)
        yield* Ref.set(mode, "up")
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* depth, 0)
        assert.deepStrictEqual((yield* all).map((event) => event.product_id).sort(), ["a", "b"])
      })
  )

  it.effect("is not called for every click", () =>
    Effect.gen(function* () {
      const { asked, depth, mode, record } = yield* world()
      yield* Ref.set(mode, "silent")
      yield* record(click("first"))
      const before = yield* Ref.get(asked)
      for (let n = 0; n < 20; n++) yield* record(click(`p-${n}`))
      assert.strictEqual(yield* depth, 21)
      assert.isBelow((yield* Ref.get(asked)) - before, 80)
    })
  )

  it.effect("gets new clicks directly as soon as it has recovered", () =>
    Effect.gen(function* () {
      const { mode, record } = yield* world()
      yield* Ref.set(mode, "away")
      assert.deepStrictEqual(yield* record(click("a")), ["spooled"])
      yield* Ref.set(mode, "up")
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* record(click("b")), ["stored"])
    })
  )

  it.effect("gets new clicks even while the spool waits for the archive of older ones", () =>
    Effect.gen(function* () {
      const { depth, mode, record } = yield* world()
      yield* Ref.set(mode, "away")
      assert.deepStrictEqual(yield* record(click("old")), ["spooled"])
      yield* Ref.set(mode, "without history")
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* record(click("new")), ["stored"])
      assert.strictEqual(yield* depth, 1)
      yield* Ref.set(mode, "up")
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* depth, 0)
    })
  )

  it.effect("causes clicks to be dropped if the spool is full", () =>
    Effect.gen(function* () {
      const { depth, mode, record } = yield* world(1)
      yield* Ref.set(mode, "away")
      assert.deepStrictEqual(yield* record(click("a")), ["spooled"])
      assert.deepStrictEqual(yield* record(click("b")), ["dropped"])
      assert.strictEqual(yield* depth, 1)
    })
  )
})

describe("a store that is slower than clicks arrive", () => {
  /** Records single clicks, all at the same time. */
  const recordEach = Effect.fnUntraced(function* (
    clicks: number,
    options: Parameters<typeof ClickRecorder.layerSpooled>[0],
    insertTakes: Duration.Input,
    passing: Effect.Effect<void> = TestClock.adjust("10 seconds")
  ) {
    const { all, context } = yield* world()
    const slow = Layer.effect(
      ClickStore,
      Effect.map(ClickStore, (store) => ({
        ...store,
        insert: (batch) => Effect.delay(store.insert(batch), insertTakes)
      }))
    ).pipe(Layer.provideMerge(Layer.succeedContext(context)))
    const recorder = yield* Layer.build(ClickRecorder.layerSpooled(options).pipe(Layer.provide(slow)))
    const { record } = yield* Effect.provideContext(ClickRecorder.ClickRecorder, recorder)
    const fiber = yield* Effect.forkChild(
      Effect.all(
        Array.from({ length: clicks }, (_, index) => record(click(`p-${index}`))),
        { concurrency: "unbounded" }
      )
    )
    yield* passing
    const outcomes = (yield* Fiber.join(fiber)).map(({ outcome }) => outcome)
    const count = (outcome: string) => outcomes.filter((other) => other === outcome).length
    return { stored: count("stored"), spooled: count("spooled"), dropped: count("dropped"), all }
  })

  it.effect("causes single clicks beyond the limit to be spooled", () =>
    Effect.gen(function* () {
      const limits = { writers: 1, maxBatch: 10, maxPending: 30 }
      const { all, dropped, spooled, stored } = yield* recordEach(200, limits, "100 millis")
      assert.deepStrictEqual([stored, spooled, dropped], [30, 170, 0])
      assert.lengthOf(yield* all, 200)
    })
  )

  it.effect("causes clicks that have waited too long to be spooled", () =>
    Effect.gen(function* () {
      const limits = { writers: 1, maxBatch: 10 }
      const { dropped, spooled, stored } = yield* recordEach(100, limits, "900 millis")
      assert.deepStrictEqual([stored, spooled, dropped], [30, 70, 0])
    })
  )

  it.effect("causes them to be spooled even if the clock was set back", () =>
    Effect.gen(function* () {
      const limits = { writers: 1, maxBatch: 10 }
      const anHour = Effect.andThen(TestClock.setTime(-3_600_000), TestClock.adjust("61 minutes"))
      const { spooled, stored } = yield* recordEach(100, limits, "900 millis", anHour)
      assert.deepStrictEqual([stored, spooled], [10, 90])
    })
  )
})

describe("the drain", () => {
  it.effect(
    "quarantines clicks that the store rejects and originals of lossy clicks, and stores the rest",
    () =>
      Effect.gen(function* () {
        const { all, context, depth, mode, record } = yield* world()
        yield* Ref.set(mode, "away")
        const names = Array.from({ length: 30 }, (_, index) => (index === 17 ? "poison" : `p-${index}`))
        yield* record(...names.map((name) => click(name)), click("lossy", { visitor_lat: "abc" }))
        yield* Ref.set(mode, "up")
        yield* TestClock.adjust("5 seconds")
        assert.strictEqual(yield* depth, 0)
        assert.lengthOf(yield* all, 30)
        const entries = yield* Effect.provideContext(
          Quarantine.use((quarantine) => quarantine.list(10)),
          context
        )
        assert.deepStrictEqual(entries.map((entry) => entry.reason).sort(), [
          "rejected by the database",
          "visitor_lat is not a number"
        ])
        assert.isTrue(
          entries.some((entry) => new TextDecoder().decode(entry.original).includes('"product_id":"poison"'))
        )
      })
  )

  it.effect(
    "gets past a bad click even if finding it takes longer than the limit of one call to the store",
    () =>
      Effect.gen(function* () {
        const { all, depth, mode, record } = yield* world()
        yield* Ref.set(mode, "away")
        yield* record(
          ...Array.from({ length: 400 }, (_, index) => click(index === 111 ? "poison" : `p-${index}`))
        )
        yield* Ref.set(mode, "slow")
        yield* TestClock.adjust("60 seconds")
        assert.strictEqual(yield* depth, 0)
        assert.lengthOf(yield* all, 399)
      })
  )

  it.effect("continues after a defect, and after the store has hung", () =>
    Effect.gen(function* () {
      const { all, depth, mode, record } = yield* world()
      yield* Ref.set(mode, "away")
      yield* record(...Array.from({ length: 1200 }, (_, index) => click(`p-${index}`)))
      yield* Ref.set(mode, "broken")
      yield* TestClock.adjust("2 seconds")
      yield* Ref.set(mode, "silent")
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* depth, 1200)
      yield* Ref.set(mode, "up")
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* depth, 0)
      assert.lengthOf(yield* all, 1200)
    })
  )

  it.effect("does not store clicks twice that were stored but not discarded", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(
        Layer.mergeAll(ClickStoreMemory.layer, QuarantineMemory.layer, SpoolMemory.layer()),
        scope
      )
      yield* Effect.gen(function* () {
        const spool = yield* Spool
        const store = yield* ClickStore
        const click = spooledClick()
        yield* spool.append([click])
        yield* store.insert([click.event])
        assert.strictEqual(yield* drain(100), 1)
        assert.strictEqual((yield* spool.status).depth, 0)
        assert.lengthOf(yield* Stream.runCollect(store.stream({})), 1)
      }).pipe(Effect.provideContext(context))
      yield* Scope.close(scope, Exit.void)
    })
  )
})

describe("a spool that cannot discard", () => {
  it.effect("is reported once, and emptied when it recovers", () =>
    Effect.gen(function* () {
      const stuck = yield* Ref.make(true)
      const errors: Array<unknown> = []
      const logger = Logger.make(({ logLevel, message }) => {
        if (logLevel === "Error") errors.push(message)
      })
      const full = new SpoolError({ operation: "discard", reason: "Unavailable", cause: "no room" })
      const spool = Layer.effect(
        Spool,
        Effect.map(Spool, (memory) => ({
          ...memory,
          discard: (segment) =>
            Effect.flatMap(Ref.get(stuck), (isStuck) => (isStuck ? full : memory.discard(segment)))
        }))
      ).pipe(Layer.provide(SpoolMemory.layer()))
      yield* Effect.gen(function* () {
        yield* Spool.use(({ append }) => append([spooledClick(), spooledClick()]))
        const depth = Spool.use(({ status }) => Effect.map(status, (found) => found.depth))
        yield* Effect.forkScoped(drainForever(500))
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(yield* depth, 2)
        assert.lengthOf(errors, 1)
        assert.include(String(errors[0]), "Draining the spool failed")
        yield* Ref.set(stuck, false)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* depth, 0)
      }).pipe(
        Effect.provide(Layer.mergeAll(ClickStoreMemory.layer, QuarantineMemory.layer, spool, Outage.layer)),
        Effect.provide(Logger.layer([logger]))
      )
    })
  )
})
