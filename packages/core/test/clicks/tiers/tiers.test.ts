import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Option, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { maxHotClicks } from "../../../src/analytics/AnalyticsQuery.ts"
import { ClickAnalytics } from "../../../src/analytics/ClickAnalytics.ts"
import { ClickArrivals } from "../../../src/clicks/ClickArrivals.ts"
import * as ClickArrivalsMemory from "../../../src/clicks/ClickArrivalsMemory.ts"
import type { ClickEvent } from "../../../src/clicks/ClickEvent.ts"
import { ClickStore } from "../../../src/clicks/ClickStore.ts"
import { ClickArchive } from "../../../src/clicks/tiers/ClickArchive.ts"
import * as ClickArrivalsTiered from "../../../src/clicks/tiers/ClickArrivalsTiered.ts"
import { HotBatches } from "../../../src/clicks/tiers/HotBatches.ts"
import { HotClicks } from "../../../src/clicks/tiers/HotClicks.ts"
import { moveBatch } from "../../../src/clicks/tiers/moveBatch.ts"
import { expireClicks, sweepTiers } from "../../../src/clicks/tiers/sweepTiers.ts"
import { plainClick, plainClicks } from "../../contract/plainClick.ts"
import { switchedArchive } from "../../contract/switchedArchive.ts"
import { onTiers, type Tiers } from "../../contract/tieredLayer.ts"
import { memoryTiers } from "./memoryTiers.ts"

interface Changes {
  readonly archive?: (archive: ClickArchive["Service"]) => Partial<ClickArchive["Service"]>
  readonly batches?: (batches: HotBatches["Service"]) => Partial<HotBatches["Service"]>
  readonly hot?: Partial<HotClicks["Service"]>
}

/** Tiers in memory, some operations of which a test changes. */
const world = Effect.fnUntraced(function* (changes: Changes = {}) {
  const memory = yield* Layer.build(memoryTiers)
  const archive = Context.get(memory, ClickArchive)
  const batches = Context.get(memory, HotBatches)
  const changed = memory.pipe(
    Context.add(ClickArchive, { ...archive, ...changes.archive?.(archive) }),
    Context.add(HotBatches, { ...batches, ...changes.batches?.(batches) }),
    Context.add(HotClicks, { ...Context.get(memory, HotClicks), ...changes.hot })
  )
  const { context, state } = switchedArchive(changed)
  const ports: Context.Context<Tiers> = Context.merge(changed, context)
  const tiered = yield* Layer.build(Layer.provide(onTiers, Layer.succeedContext(ports)))
  const store = Context.get(tiered, ClickStore)
  const hot = Context.get(memory, HotClicks)
  const plain = Context.get(memory, ClickStore)
  const provided = Effect.provideContext(ports)
  const total = (from?: Date) =>
    Effect.map(store.list({ filter: { ...(from && { from }) }, limit: 1, offset: 0 }), (page) => page.total)
  return {
    analytics: Context.get(tiered, ClickAnalytics),
    archive,
    cut: hot.cut,
    expire: (before: Date) => provided(expireClicks(before)),
    /** The clicks that the hot store still has. */
    left: Effect.map(Stream.runCollect(plain.stream({})), (clicks) => clicks.length),
    move: provided(moveBatch),
    ports,
    state,
    store,
    sweep: provided(sweepTiers),
    total
  }
})

const reasonOf = <A, E extends { readonly reason: string }>(run: Effect.Effect<A, E>) =>
  Effect.map(Effect.result(run), (result) => (Result.isFailure(result) ? result.failure.reason : "none"))

const at = (time: string): Partial<ClickEvent> => ({
  occurred_at: new Date(time),
  received_at: new Date(time)
})

describe("the mover", () => {
  it.effect("moves clicks once, and leaves them in the hot store for a day", () =>
    Effect.gen(function* () {
      const { left, move, store, sweep, total } = yield* world()
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
      const { cut, move, store, total } = yield* world({
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

  it.effect("abandons an attempt of which the hot store emits fewer clicks than it counted", () =>
    Effect.gen(function* () {
      let isShort = true
      const { move, store, total } = yield* world({
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

  it.effect("abandons a number under which the archive holds clicks of an earlier life", () =>
    Effect.gen(function* () {
      const { archive, cut, move, store, total } = yield* world()
      yield* archive.write(1, Stream.fromArray(plainClicks(2)))
      yield* store.insert(plainClicks(3))
      const error = yield* Effect.flip(move)
      assert.include(error.message, "holds 2 clicks under attempt 1 instead of 0")
      assert.strictEqual(yield* move, 3)
      assert.deepInclude(yield* cut, { mark: 2, abandoned: [1] })
      assert.strictEqual(yield* total(), 3)
    })
  )

  it.effect("spends no number while the archive is away", () =>
    Effect.gen(function* () {
      const { cut, move, state, store } = yield* world()
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
      const { move, store } = yield* world({
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

describe("a store in two tiers", () => {
  it.effect("answers from the hot store while the archive is away, where that has all clicks", () =>
    Effect.gen(function* () {
      const { analytics, move, state, store, sweep, total } = yield* world()
      yield* store.insert(plainClicks(4, at("1969-12-30T00:00:00Z")))
      yield* move
      yield* TestClock.adjust("25 hours")
      yield* sweep
      yield* store.insert(plainClicks(3, at("1970-01-02T00:00:00Z")))
      yield* move
      yield* store.insert(plainClicks(2, at("1970-01-02T00:00:00Z")))
      const [lost, since] = [new Date("1969-12-30T00:00:00Z"), new Date("1969-12-30T00:00:00.001Z")]
      const groups = (from: Date) =>
        analytics.groups({
          ...{ filter: { from }, groupBy: [], limit: 1, pivot: false, totals: false, visitors: false },
          ranking: { sort: "total", descending: true, without: [] }
        })
      state.isDown = true
      assert.strictEqual(yield* total(since), 5)
      assert.strictEqual((yield* groups(since)).groups[0]?.clicks, 5)
      const cohorts = analytics.cohorts({ filter: { from: since }, timeZone: "UTC" })
      for (const refused of [total(), total(lost), groups(lost), cohorts])
        assert.strictEqual(yield* reasonOf<unknown, { reason: string }>(refused), "HistoryUnavailable")
      state.isDown = false
      assert.strictEqual(yield* total(), 9)
      assert.strictEqual((yield* groups(lost)).groups[0]?.clicks, 9)
    })
  )

  it.effect("finds clicks by id in both tiers; those that have left the hot store have no position", () =>
    Effect.gen(function* () {
      const { move, ports, store, sweep } = yield* world()
      const [old, young, unknown] = [plainClick(at("1969-12-31T00:00:00Z")), plainClick(), plainClick()]
      yield* store.insert([old])
      yield* move
      yield* TestClock.adjust("25 hours")
      yield* sweep
      yield* store.insert([young])
      const layer = ClickArrivalsTiered.layer.pipe(Layer.provide(ClickArrivalsMemory.layer))
      const arrivals = Context.get(
        yield* Layer.build(Layer.provide(layer, Layer.succeedContext(ports))),
        ClickArrivals
      )
      assert.deepStrictEqual(yield* arrivals.find(old.id), Option.some({ click: old, position: null }))
      assert.deepStrictEqual(yield* arrivals.find(young.id), Option.some({ click: young, position: "1" }))
      assert.deepStrictEqual(yield* arrivals.find(unknown.id), Option.none())
    })
  )

  it.effect("deletes expired clicks for all readers at once, and from the archive a minute later", () =>
    Effect.gen(function* () {
      const { archive, expire, left, move, store, total } = yield* world()
      yield* store.insert([...plainClicks(3, at("2020-01-01T00:00:00Z")), ...plainClicks(2)])
      yield* move
      yield* store.insert(plainClicks(4, at("2020-01-01T00:00:00Z")))
      const expiry = yield* Effect.forkChild(expire(new Date("2021-01-01T00:00:00Z")), {
        startImmediately: true
      })
      yield* Effect.yieldNow
      assert.strictEqual(yield* total(), 2)
      assert.strictEqual((yield* archive.check(1)).count, 5)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Fiber.join(expiry), 7)
      assert.strictEqual((yield* archive.check(1)).count, 2)
      assert.strictEqual(yield* left, 2)
      assert.strictEqual(yield* total(), 2)
    })
  )

  it.effect("refuses analytics while more clicks wait than it counts with an archive", () =>
    Effect.gen(function* () {
      const waiting = Array.from<ClickEvent>({ length: maxHotClicks + 1 }).fill(plainClick())
      const { analytics, move } = yield* world({
        hot: { read: (_cut, _filter, { limit }) => Stream.fromArray(waiting.slice(0, limit)) }
      })
      yield* move
      const counted = analytics.cohorts({ filter: {}, timeZone: "UTC" })
      assert.strictEqual(yield* reasonOf(counted), "TooManyHot")
      waiting.pop()
      assert.strictEqual(yield* reasonOf(counted), "none")
    })
  )
})
