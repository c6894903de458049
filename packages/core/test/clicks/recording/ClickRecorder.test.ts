import { assert, describe, it } from "@effect/vitest"
import {
  Cause,
  Deferred,
  Effect,
  Exit,
  Fiber,
  Layer,
  Logger,
  Option,
  Ref,
  Result,
  Scope,
  Stream
} from "effect"
import { TestClock } from "effect/testing"
import type { ClickEvent } from "../../../src/clicks/ClickEvent.ts"
import * as ClickQuery from "../../../src/clicks/ClickQuery.ts"
import { ClickStore, ClickStoreError } from "../../../src/clicks/ClickStore.ts"
import * as ClickStoreMemory from "../../../src/clicks/ClickStoreMemory.ts"
import * as ClickRecorder from "../../../src/clicks/recording/ClickRecorder.ts"
import { type ClickSubmission, idOfKey } from "../../../src/clicks/recording/ClickSubmission.ts"
import { Quarantine } from "../../../src/clicks/recording/Quarantine.ts"
import * as QuarantineMemory from "../../../src/clicks/recording/QuarantineMemory.ts"
import { plainClick } from "../../contract/clicks/plainClick.ts"

const nobody = { userId: null, ipAddress: null, userAgent: null }
const click = (extra: object = {}, more: Partial<ClickSubmission> = {}): ClickSubmission => ({
  body: { product_id: "p-1", action: "view", source: "web", ...extra },
  origin: nobody,
  ...more
})

const record = (submission: ClickSubmission) =>
  ClickRecorder.ClickRecorder.use((recorder) => recorder.record(submission))

const everything = ClickStore.use((store) => Stream.runCollect(store.stream({})))

/** A recorder on a store in memory whose `insert` is wrapped by the given function. */
const recorderWith = (
  around: (
    batch: ReadonlyArray<ClickEvent>,
    insert: ClickStore["Service"]["insert"]
  ) => ReturnType<ClickStore["Service"]["insert"]>,
  options: Partial<ClickRecorder.ClickRecorderOptions> = {}
) => {
  const store = Layer.effect(
    ClickStore,
    Effect.map(ClickStore, (memory) => ({ ...memory, insert: (batch) => around(batch, memory.insert) }))
  ).pipe(Layer.provide(ClickStoreMemory.layer))
  return ClickRecorder.layerWith(options).pipe(Layer.provideMerge(Layer.merge(store, QuarantineMemory.layer)))
}

const plain = recorderWith((batch, insert) => insert(batch))
const away = new ClickStoreError({ operation: "insert", reason: "Unavailable", cause: "away" })
const refused = new ClickStoreError({ operation: "insert", reason: "Refused", cause: "poison" })

describe("a recorded click", () => {
  it.effect("has the fields of section 2.2", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 10))
      const origin = { userId: "u-1", ipAddress: "203.0.113.9", userAgent: "Mozilla/5.0 (iPad)" }
      const receipt = yield* record(
        click({ store_id: "s", visitor_lat: 0, occurred_at: "2026-11-19T09:00:00+01:00" }, { origin })
      )
      assert.strictEqual(receipt.outcome, "stored")
      assert.deepStrictEqual(yield* everything, [
        plainClick({
          id: receipt.id,
          source: "web",
          store_id: "s",
          user_id: "u-1",
          ip_address: "203.0.113.9",
          user_agent: "Mozilla/5.0 (iPad)",
          device_type: "tablet",
          occurred_at: new Date("2026-11-19T08:00:00Z"),
          received_at: new Date("2026-11-20T10:00:00Z")
        })
      ])
    }).pipe(Effect.provide(plain))
  )

  it.effect("occurred at its receipt by default, without a user, on a desktop", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2026, 10, 20, 10))
      yield* record(click())
      const [event] = yield* everything
      assert.deepInclude(event, { user_id: null, ip_address: null, user_agent: null, device_type: "desktop" })
      assert.deepStrictEqual(event?.occurred_at, new Date("2026-11-20T10:00:00Z"))
    }).pipe(Effect.provide(plain))
  )

  it.effect("must not break a rule", () =>
    Effect.gen(function* () {
      const rejected = yield* Effect.flip(record(click({ action: "jump" })))
      assert.match(rejected.message, /action/)
      assert.lengthOf(yield* everything, 0)
    }).pipe(Effect.provide(plain))
  )

  it.effect("keeps its original if it could not be stored as sent", () =>
    Effect.gen(function* () {
      const { id } = yield* record(click({ visitor_lat: "abc", store_id: "a\0" }))
      const original = new TextEncoder().encode("as sent")
      yield* record(click({ occurred_at: "never" }, { original: () => original }))
      const quarantine = yield* Quarantine
      const entries = yield* quarantine.list(10)
      assert.strictEqual(yield* quarantine.count, 2)
      assert.deepStrictEqual(entries.find((entry) => entry.click_id !== id)?.original, original)
      const lossy = entries.find((entry) => entry.click_id === id)
      assert.strictEqual(lossy?.reason, "store_id contains a NUL character; visitor_lat is not a number")
      assert.match(new TextDecoder().decode(lossy?.original), /"visitor_lat":"abc"/)
      assert.lengthOf(yield* everything, 2)
    }).pipe(Effect.provide(plain))
  )
})

describe("an idempotency key", () => {
  it.effect("is stored once for each user", () =>
    Effect.gen(function* () {
      const keyed = (userId: string | null) =>
        Effect.flatMap(idOfKey(userId, "k"), (id) => record(click({}, { id, origin: { ...nobody, userId } })))
      const first = yield* keyed("u-1")
      assert.strictEqual(first.outcome, "stored")
      assert.deepStrictEqual(yield* keyed("u-1"), { id: first.id, outcome: "duplicate" })
      assert.strictEqual((yield* keyed("u-2")).outcome, "stored")
      assert.strictEqual((yield* keyed(null)).outcome, "stored")
      assert.lengthOf(yield* everything, 3)
    }).pipe(Effect.provide(plain))
  )

  it.effect("is stored once if it is sent twice at the same time", () =>
    Effect.gen(function* () {
      const keyed = record(click({}, { id: yield* idOfKey(null, "k") }))
      const receipts = yield* Effect.all([keyed, keyed, keyed], { concurrency: "unbounded" })
      assert.deepStrictEqual(receipts.map((receipt) => receipt.outcome).sort(), [
        "duplicate",
        "duplicate",
        "stored"
      ])
      assert.lengthOf(yield* everything, 1)
    }).pipe(Effect.provide(plain))
  )
})

describe("clicks of several callers", () => {
  it.effect("are committed together if they wait at the same time", () =>
    Effect.gen(function* () {
      const sizes = yield* Ref.make<ReadonlyArray<number>>([])
      const gate = yield* Deferred.make<void>()
      const slow = recorderWith(
        (batch, insert) =>
          Ref.update(sizes, (all) => [...all, batch.length]).pipe(
            Effect.andThen(Deferred.await(gate)),
            Effect.andThen(insert(batch))
          ),
        { writers: 1, maxBatch: 50 }
      )
      yield* Effect.gen(function* () {
        const first = yield* Effect.forkChild(record(click()))
        while ((yield* Ref.get(sizes)).length === 0) yield* Effect.yieldNow
        const rest = yield* Effect.forkChild(
          ClickRecorder.ClickRecorder.use((recorder) =>
            recorder.recordAll(Array.from({ length: 120 }, () => click()))
          )
        )
        for (let turn = 0; turn < 1000; turn++) yield* Effect.yieldNow
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(first)
        assert.isTrue(
          (yield* Fiber.join(rest)).every(
            (result) => Result.isSuccess(result) && result.success.outcome === "stored"
          )
        )
      }).pipe(Effect.provide(slow))
      assert.deepStrictEqual(yield* Ref.get(sizes), [1, 50, 50, 20])
    })
  )

  it.effect("are validated separately", () =>
    Effect.gen(function* () {
      const recorder = yield* ClickRecorder.ClickRecorder
      const results = yield* recorder.recordAll([
        click(),
        click({ source: "" }),
        { body: 5, origin: nobody },
        click()
      ])
      assert.deepStrictEqual(results.map(Result.isSuccess), [true, false, false, true])
      assert.lengthOf(yield* everything, 2)
    }).pipe(Effect.provide(plain))
  )
})

describe("a failing store", () => {
  it.effect("stores the click if it recovers in time", () =>
    Effect.gen(function* () {
      const attempts = yield* Ref.make(0)
      const flaky = recorderWith((batch, insert) =>
        Ref.updateAndGet(attempts, (n) => n + 1).pipe(
          Effect.flatMap((n) => (n < 4 ? Effect.fail(away) : insert(batch)))
        )
      )
      const receipt = yield* Effect.forkChild(record(click())).pipe(
        Effect.tap(() => TestClock.adjust("2 seconds")),
        Effect.flatMap(Fiber.join),
        Effect.provide(flaky)
      )
      assert.strictEqual(receipt.outcome, "stored")
    })
  )

  it.effect("stores the click once if its response was lost after the commit", () =>
    Effect.gen(function* () {
      const attempts = yield* Ref.make(0)
      const lossy = recorderWith((batch, insert) =>
        insert(batch).pipe(
          Effect.tap(() =>
            Effect.flatMap(
              Ref.getAndUpdate(attempts, (n) => n + 1),
              (n) => (n === 0 ? Effect.fail(away) : Effect.void)
            )
          )
        )
      )
      yield* Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(record(click()))
        yield* TestClock.adjust("1 second")
        assert.strictEqual((yield* Fiber.join(fiber)).outcome, "stored")
        assert.lengthOf(yield* everything, 1)
      }).pipe(Effect.provide(lossy))
    })
  )

  it.effect.each([
    ["away", Effect.fail(away)],
    ["silent", Effect.never]
  ] as const)("drops the click if it stays %s, and logs it", ([, answer]) =>
    Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(record(click()))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(fiber)).outcome, "dropped")
    }).pipe(Effect.provide(recorderWith(() => answer)))
  )

  it.effect("stores 499 clicks and quarantines one if it rejects one of 500", () =>
    Effect.gen(function* () {
      const picky = recorderWith((batch, insert) =>
        batch.some((event) => event.product_id === "poison") ? Effect.fail(refused) : insert(batch)
      )
      yield* Effect.gen(function* () {
        const recorder = yield* ClickRecorder.ClickRecorder
        const results = yield* recorder.recordAll(
          Array.from({ length: 500 }, (_, index) => click({ product_id: index === 321 ? "poison" : "p" }))
        )
        const outcomes = results.map((result) => Option.getOrUndefined(Result.getSuccess(result))?.outcome)
        assert.strictEqual(outcomes[321], "dropped")
        assert.lengthOf(
          outcomes.filter((outcome) => outcome === "stored"),
          499
        )
        assert.lengthOf(yield* everything, 499)
        const quarantine = yield* Quarantine
        const [entry] = yield* quarantine.list(10)
        assert.strictEqual(entry?.reason, "rejected by the database")
        assert.match(new TextDecoder().decode(entry?.original), /poison/)
      }).pipe(Effect.provide(picky))
    })
  )

  it.effect("causes single clicks beyond the limit to be dropped if there is no spool", () =>
    Effect.gen(function* () {
      const { gate, recorder } = yield* gatedRecorder({ maxPending: 20 })
      yield* Effect.gen(function* () {
        const clicks = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 40 }, () => record(click())),
            { concurrency: "unbounded" }
          )
        )
        yield* turns
        yield* Deferred.succeed(gate, undefined)
        const outcomes = (yield* Fiber.join(clicks)).map(({ outcome }) => outcome)
        assert.deepStrictEqual(
          outcomes.filter((outcome) => outcome === "stored"),
          Array.from({ length: 20 }, () => "stored")
        )
        assert.lengthOf(yield* everything, 20)
      }).pipe(Effect.provide(recorder))
    })
  )
})

/** Lets everything run that can. */
const turns = Effect.forEach(Array.from({ length: 1000 }), () => Effect.yieldNow, { discard: true })

/** A recorder whose store waits for the gate before each batch. Records the products of the batches in order. */
const gatedRecorder = Effect.fnUntraced(function* (
  options: Partial<ClickRecorder.ClickRecorderOptions> = {}
) {
  const gate = yield* Deferred.make<void>()
  const batches: Array<ReadonlyArray<string>> = []
  const recorder = recorderWith(
    (batch, insert) => {
      batches.push(batch.map(({ product_id }) => product_id))
      return Effect.andThen(Deferred.await(gate), insert(batch))
    },
    { writers: 1, maxBatch: 10, ...options }
  )
  return { batches, gate, recorder }
})

const manyOf = (product_id: string, count: number) =>
  ClickRecorder.ClickRecorder.use(({ recordAll }) =>
    recordAll(Array.from({ length: count }, () => click({ product_id })))
  )

const outcomesOf = (results: Effect.Success<ReturnType<typeof manyOf>>) =>
  new Set(results.map((result) => Result.getOrThrow(result).outcome))

describe("single clicks that arrive while a batch is stored", () => {
  it.effect("are sent in parallel if they are many, and wait if they are few", () =>
    Effect.gen(function* () {
      const { batches, gate, recorder } = yield* gatedRecorder({ writers: 3, maxBatch: 500 })
      yield* Effect.gen(function* () {
        const recordEach = (product_id: string, count: number) =>
          Effect.forkChild(
            Effect.all(
              Array.from({ length: count }, () => record(click({ product_id }))),
              { concurrency: "unbounded" }
            )
          )
        const first = yield* recordEach("first", 1)
        yield* turns
        const few = yield* recordEach("few", 7)
        yield* turns
        assert.deepStrictEqual(batches, [["first"]])
        const one = yield* recordEach("one more", 1)
        yield* turns
        assert.deepStrictEqual(batches[1], [...Array.from({ length: 7 }, () => "few"), "one more"])
        yield* Deferred.succeed(gate, undefined)
        for (const fiber of [first, few, one]) yield* Fiber.join(fiber)
        assert.lengthOf(yield* everything, 9)
      }).pipe(Effect.provide(recorder))
    })
  )
})

describe("requests with many clicks", () => {
  it.effect("wait for their turn, however many they are, and are stored", () =>
    Effect.gen(function* () {
      const { gate, recorder } = yield* gatedRecorder({ maxPending: 20 })
      yield* Effect.gen(function* () {
        const requests = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 30 }, () => manyOf("p", 100)),
            { concurrency: "unbounded" }
          )
        )
        yield* turns
        yield* Deferred.succeed(gate, undefined)
        for (const results of yield* Fiber.join(requests)) {
          assert.deepStrictEqual(outcomesOf(results), new Set(["stored"]))
        }
        assert.lengthOf(yield* everything, 3000)
      }).pipe(Effect.provide(recorder))
    })
  )

  it.effect("do not delay a single click", () =>
    Effect.gen(function* () {
      const { batches, gate, recorder } = yield* gatedRecorder()
      yield* Effect.gen(function* () {
        const requests = yield* Effect.forkChild(
          Effect.all([manyOf("a", 50), manyOf("b", 50)], { concurrency: "unbounded" })
        )
        yield* turns
        const single = yield* Effect.forkChild(record(click({ product_id: "single" })))
        yield* turns
        // The store has the click already, while the first batch of the requests is still in progress.
        assert.deepStrictEqual(batches[1], ["single"])
        yield* Deferred.succeed(gate, undefined)
        assert.strictEqual((yield* Fiber.join(single)).outcome, "stored")
        yield* Fiber.join(requests)
      }).pipe(Effect.provide(recorder))
    })
  )

  it.effect("get their turns even while single clicks would fill every batch", () =>
    Effect.gen(function* () {
      const { batches, gate, recorder } = yield* gatedRecorder()
      yield* Effect.gen(function* () {
        const requests = yield* Effect.forkChild(
          Effect.all([manyOf("a", 50), manyOf("b", 4)], { concurrency: "unbounded" })
        )
        const singles = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 50 }, () => record(click({ product_id: "single" }))),
            { concurrency: "unbounded" }
          )
        )
        yield* turns
        yield* Deferred.succeed(gate, undefined)
        yield* Fiber.join(requests)
        yield* Fiber.join(singles)
        const ofRequests = batches.filter((batch) => !batch.includes("single"))
        assert.strictEqual(ofRequests.length, 6)
        assert.isAtMost(
          ofRequests.findLastIndex((batch) => batch.includes("b")),
          1
        )
      }).pipe(Effect.provide(recorder))
    })
  )
})

describe("a click that is offered", () => {
  it.effect("gets its result even if the callback of an earlier one throws, which is logged", () => {
    const log: Array<string> = []
    const logger = Logger.make(({ cause }) => log.push(Cause.pretty(cause)))
    return Effect.gen(function* () {
      const { offer } = yield* ClickRecorder.ClickRecorder
      const answered = yield* Deferred.make<void>()
      offer(click(), () => {
        throw new Error("this connection is broken")
      })
      offer(click(), () => Deferred.doneUnsafe(answered, Effect.void))
      yield* Deferred.await(answered)
      yield* turns
      assert.lengthOf(log, 1)
      assert.include(log[0], "this connection is broken")
    }).pipe(Effect.provide(plain), Effect.provide(Logger.layer([logger])))
  })
})

describe("a caller or a recorder that ends", () => {
  it.effect("does not cancel the click if the caller disconnects", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const reached = yield* Deferred.make<void>()
      const gated = recorderWith((batch, insert) =>
        Deferred.succeed(reached, undefined).pipe(
          Effect.andThen(Deferred.await(gate)),
          Effect.andThen(insert(batch))
        )
      )
      yield* Effect.gen(function* () {
        const caller = yield* Effect.forkChild(record(click()))
        yield* Deferred.await(reached)
        yield* Fiber.interrupt(caller)
        yield* Deferred.succeed(gate, undefined)
        while ((yield* everything).length === 0) yield* Effect.yieldNow
        assert.lengthOf(yield* everything, 1)
      }).pipe(Effect.provide(gated))
    })
  )

  it.effect("writes accepted clicks before the recorder closes", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const written = yield* Ref.make(0)
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(
        recorderWith((batch) =>
          Deferred.await(gate).pipe(
            Effect.andThen(Ref.update(written, (n) => n + batch.length)),
            Effect.as(new Set(batch.map((event) => event.id)))
          )
        ),
        scope
      )
      const callers = yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 30 }, () => record(click())),
          { concurrency: "unbounded" }
        ).pipe(Effect.provideContext(context))
      )
      for (let turn = 0; turn < 100; turn++) yield* Effect.yieldNow
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      for (let turn = 0; turn < 100; turn++) yield* Effect.yieldNow
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(closing)
      assert.strictEqual(yield* Ref.get(written), 30)
      assert.isTrue((yield* Fiber.join(callers)).every((receipt) => receipt.outcome === "stored"))
    })
  )
})

describe("a store that hangs", () => {
  it.effect("does not delay shutdown for longer than a click may wait", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(
        recorderWith(() => Effect.never, { writers: 1, maxBatch: 1, within: "5 seconds" }),
        scope
      )
      yield* Effect.forkChild(
        Effect.all(
          Array.from({ length: 30 }, () => record(click())),
          { concurrency: "unbounded" }
        ).pipe(Effect.provideContext(context))
      )
      for (let turn = 0; turn < 100; turn++) yield* Effect.yieldNow
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* TestClock.adjust("6 seconds")
      yield* Fiber.join(closing)
    })
  )
})

describe("listing in memory", () => {
  it.effect("accepts the same parameters as the service", () =>
    Effect.gen(function* () {
      for (const product_id of ["a", "b", "a"]) yield* record(click({ product_id }))
      const store = yield* ClickStore
      const page = yield* store.list(
        yield* Effect.fromResult(ClickQuery.parse({ product_id: "a", limit: "1" }))
      )
      assert.strictEqual(page.total, 2)
      assert.lengthOf(page.events, 1)
    }).pipe(Effect.provide(plain))
  )
})
