import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Option, Result, Stream } from "effect"
import { TestClock } from "effect/testing"
import { maxHotClicks } from "../../../src/analytics/groups/AnalyticsQuery.ts"
import { ClickArrivals } from "../../../src/clicks/ClickArrivals.ts"
import type { ClickEvent } from "../../../src/clicks/ClickEvent.ts"
import * as ClickArrivalsTiered from "../../../src/clicks/tiers/ClickArrivalsTiered.ts"
import { countIds, deleteIds } from "../../../src/clicks/tiers/deleteIds.ts"
import * as ClickArrivalsMemory from "../../contract/clicks/ClickArrivalsMemory.ts"
import { expectedPage } from "../../contract/clicks/expectedPage.ts"
import { plainClick, plainClicks } from "../../contract/clicks/plainClick.ts"
import { at, changedTiers } from "./changedTiers.ts"

const reasonOf = <A, E extends { readonly reason: string }>(run: Effect.Effect<A, E>) =>
  Effect.map(Effect.result(run), (result) => (Result.isFailure(result) ? result.failure.reason : "none"))

describe("a store in two tiers", () => {
  it.effect("reads from the hot store alone while the archive is unavailable, if it has all clicks", () =>
    Effect.gen(function* () {
      const { analytics, move, state, store, sweep, total } = yield* changedTiers()
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

  it.effect("does not wait for an archive that hangs if the hot store has all clicks", () =>
    Effect.gen(function* () {
      let hangs = false
      const { analytics, move, store, total } = yield* changedTiers({
        archive: ({ count }) => ({ count: (...query) => (hangs ? Effect.never : count(...query)) }),
        analytics: ({ over }) => ({
          over: (...tiers) => ({
            ...over(...tiers),
            groups: (query) => (hangs ? Effect.never : over(...tiers).groups(query))
          })
        })
      })
      yield* store.insert(plainClicks(3))
      yield* move
      yield* store.insert(plainClicks(2))
      hangs = true
      const counted = analytics.groups({
        ...{ filter: {}, groupBy: [], limit: 1, pivot: false, totals: false, visitors: false },
        ranking: { sort: "total", descending: true, without: [] }
      })
      const answers = yield* Effect.forkChild(Effect.all([total(), counted], { concurrency: 2 }))
      yield* Effect.repeat(TestClock.adjust("5 seconds"), { times: 2 })
      const [all, { groups }] = yield* Fiber.join(answers)
      assert.deepStrictEqual([all, groups[0]?.clicks], [5, 5])
    })
  )

  it.effect("skips few clicks, wherever in a day a page begins", () =>
    Effect.gen(function* () {
      let mostRead = 0
      const { move, store } = yield* changedTiers({
        archive: ({ read }) => ({
          read: (cut, filter, part) => {
            mostRead = Math.max(mostRead, part.limit ?? 0)
            return read(cut, filter, part)
          }
        })
      })
      const day = Date.UTC(2026, 10, 20)
      // Two minutes have most of the clicks.
      const instants = Array.from(
        { length: 4000 },
        (_, index) => day + (index % 4 === 0 ? index * 20_000 : index * 30)
      )
      const clicks = instants.map((time) => plainClick({ occurred_at: new Date(time) }))
      yield* store.insert(clicks.slice(0, 1500))
      yield* move
      yield* store.insert(clicks.slice(1500))
      for (const offset of [0, 999, 1000, 1001, 1800, 2500, 3500, 3990, 4000]) {
        const query = { filter: { from: new Date(day + 1) }, limit: 20, offset }
        assert.deepStrictEqual(yield* store.list(query), expectedPage(clicks, query), `offset ${offset}`)
      }
      assert.isAtMost(mostRead, 1021)
    })
  )

  it.effect("pages by cursor through days with a click each", () =>
    Effect.gen(function* () {
      const { move, store } = yield* changedTiers()
      const clicks = Array.from({ length: 9 }, (_, day) =>
        plainClick({ occurred_at: new Date(Date.UTC(2026, 10, 20 - day, 12)) })
      )
      yield* store.insert(clicks.filter((_, index) => index % 2 === 0))
      yield* move
      yield* store.insert(clicks)
      for (const limit of [1, 2, 3])
        for (const after of clicks) {
          const query = { filter: {}, limit, offset: 0, after }
          assert.deepStrictEqual(yield* store.list(query), expectedPage(clicks, query))
        }
    })
  )

  it.effect("finds clicks by id in both tiers; those that have left the hot store have no position", () =>
    Effect.gen(function* () {
      const { move, ports, store, sweep } = yield* changedTiers()
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
      const { archive, expire, left, move, state, store, total } = yield* changedTiers()
      yield* store.insert([...plainClicks(3, at("2020-01-01T00:00:00Z")), ...plainClicks(2)])
      yield* move
      yield* store.insert(plainClicks(4, at("2020-01-01T00:00:00Z")))
      const expiry = yield* Effect.forkChild(expire(new Date("2021-01-01T00:00:00Z")), {
        startImmediately: true
      })
      yield* Effect.yieldNow
      assert.strictEqual(yield* total(), 2)
      assert.strictEqual((yield* archive.check(1)).count, 5)
      state.isDown = true
      assert.strictEqual(yield* reasonOf(total()), "HistoryUnavailable")
      assert.strictEqual(yield* total(new Date("2021-01-01T00:00:00.001Z")), 2)
      state.isDown = false
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* Fiber.join(expiry), 7)
      assert.strictEqual((yield* archive.check(1)).count, 2)
      assert.strictEqual(yield* left, 2)
      assert.strictEqual(yield* total(), 2)
    })
  )

  it.effect("counts clicks by their ids, and deletes them for all readers at once, moved or not", () =>
    Effect.gen(function* () {
      const { archive, left, move, ports, store, total } = yield* changedTiers()
      const id = (number: number) => `64656d6f-0000-8000-8000-00000000000${number}`
      const clicks = [1, 2, 3, 4, 5].map((number) => plainClick({ id: id(number) }))
      const ids = { first: id(2), last: id(4) }
      const provided = Effect.provideContext(ports)
      yield* store.insert(clicks.slice(0, 3))
      yield* move
      yield* store.insert(clicks.slice(3))
      assert.strictEqual(yield* provided(countIds(ids)), 3)
      const deletion = yield* Effect.forkChild(provided(deleteIds(ids)), { startImmediately: true })
      yield* Effect.yieldNow
      assert.strictEqual(yield* total(), 2)
      assert.strictEqual((yield* archive.check(1)).count, 3)
      assert.strictEqual(yield* provided(countIds(ids)), 3)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(deletion)
      assert.deepStrictEqual([(yield* archive.check(1)).count, yield* left, yield* total()], [1, 2, 2])
      // There are none left, so it does not wait.
      yield* provided(deleteIds(ids))
      yield* store.insert(clicks)
      assert.strictEqual(yield* total(), 5)
    })
  )

  it.effect("rejects analytics while too many clicks wait to be counted with an archive", () =>
    Effect.gen(function* () {
      const waiting = Array.from<ClickEvent>({ length: maxHotClicks + 1 }).fill(plainClick())
      const { analytics, move } = yield* changedTiers({
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
