import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Layer, Queue } from "effect"
import { TestClock } from "effect/testing"
import { ClickArrivals } from "../../../src/clicks/ClickArrivals.ts"
import type { ClickEvent } from "../../../src/clicks/ClickEvent.ts"
import { ClickStore, ClickStoreError } from "../../../src/clicks/ClickStore.ts"
import * as ClickStoreMemory from "../../../src/clicks/ClickStoreMemory.ts"
import * as ClickFeed from "../../../src/clicks/feed/ClickFeed.ts"
import * as Uuid from "../../../src/values/Uuid.ts"
import { arbitraryClick } from "../../contract/clicks/arbitraryClicks.ts"
import * as ClickArrivalsMemory from "../../contract/clicks/ClickArrivalsMemory.ts"
import { format, readEvents } from "./feedTexts.ts"

const [template] = Effect.runSync(Arbitrary.sampleEffect(arbitraryClick, { count: 1, seed: 1 }))

const click = (source: string): ClickEvent => {
  if (template === undefined) throw new Error("no click was generated")
  return { ...template, id: Uuid.make(0), source }
}

const clicks = (count: number, source: string) => Array.from({ length: count }, () => click(source))
const insert = (batch: ReadonlyArray<ClickEvent>) => ClickStore.use((store) => store.insert(batch))
const ids = (events: ReadonlyArray<{ readonly id: string | undefined }>) => events.map(({ id }) => id)

const stores = ClickArrivalsMemory.layer.pipe(Layer.provideMerge(ClickStoreMemory.layer))
const feedOf = (options: Partial<ClickFeed.ClickFeedOptions> = {}) =>
  ClickFeed.layer({ format, maxReaders: 100, ...options })

const poll = TestClock.adjust("250 millis")

describe("ClickFeed", () => {
  it.effect("reads each new click from the store once for all readers, each with its filter", () =>
    Effect.gen(function* () {
      const inner = yield* ClickArrivals
      let read = 0
      const counting = ClickArrivals.of({
        ...inner,
        since: (...query) =>
          Effect.tap(inner.since(...query), ({ clicks }) => Effect.sync(() => (read += clicks.length)))
      })
      yield* Effect.gen(function* () {
        yield* insert(clicks(3, "web"))
        const feed = yield* ClickFeed.ClickFeed
        const readers = yield* Effect.forEach([{}, { source: "web" }, { source: "app" }, {}], (filter) =>
          readEvents(feed, filter)
        )
        const [web, app] = [clicks(300, "web"), clicks(200, "app")]
        yield* insert([...web, ...app])
        yield* poll
        const found = yield* Effect.forEach(readers, ({ events }) => Effect.map(Queue.takeAll(events), ids))
        const [all, ofWeb, ofApp, again] = found
        assert.sameMembers(all ?? [], ids([...web, ...app]))
        assert.deepStrictEqual(all, again)
        assert.sameMembers(ofWeb ?? [], ids(web))
        assert.sameMembers(ofApp ?? [], ids(app))
        assert.strictEqual(read, 500)
      }).pipe(Effect.provide(feedOf().pipe(Layer.provide(Layer.succeed(ClickArrivals, counting)))))
    }).pipe(Effect.provide(stores))
  )

  it.effect("continues after any click, whether in the log or behind it, and repeats none", () =>
    Effect.gen(function* () {
      const stored = clicks(2_500, "web")
      const feed = yield* ClickFeed.ClickFeed
      const { events } = yield* readEvents(feed, {})
      for (let at = 0; at < stored.length; at += 500) {
        yield* insert(stored.slice(at, at + 500))
        yield* poll
      }
      const all = yield* Queue.takeAll(events)
      assert.sameMembers(ids(all), ids(stored))
      // The log holds about 1,000 clicks, so the first positions are older.
      for (const index of [0, 400, 1_499, 1_500, 2_100, 2_499]) {
        const again = yield* readEvents(feed, {}, all[index]?.position)
        yield* poll
        assert.deepStrictEqual(ids(yield* Queue.clear(again.events)), ids(all.slice(index + 1)))
      }
    }).pipe(Effect.provide(feedOf({ logBytes: 800_000 })), Effect.provide(stores))
  )

  it.effect("continues after a query that the store never answers", () =>
    Effect.gen(function* () {
      const inner = yield* ClickArrivals
      let isHung = false
      const hanging = ClickArrivals.of({
        ...inner,
        since: (...query) => Effect.suspend(() => (isHung ? Effect.never : inner.since(...query)))
      })
      yield* Effect.gen(function* () {
        const { events } = yield* readEvents(yield* ClickFeed.ClickFeed, {})
        yield* poll
        isHung = true
        const missed = clicks(3, "web")
        yield* insert(missed)
        yield* poll
        isHung = false
        yield* TestClock.adjust("1 minute")
        assert.sameMembers(
          ids(yield* Queue.clear(events)).filter((id) => id !== undefined),
          ids(missed)
        )
      }).pipe(Effect.provide(feedOf().pipe(Layer.provide(Layer.succeed(ClickArrivals, hanging)))))
    }).pipe(Effect.provide(stores))
  )

  it.effect("reads missed clicks once for many readers, however far they are behind", () =>
    Effect.gen(function* () {
      const inner = yield* ClickArrivals
      let read = 0
      // A query takes time, during which the other readers catch up with this one.
      const counting = ClickArrivals.of({
        ...inner,
        since: (...query) =>
          inner.since(...query).pipe(
            Effect.delay("5 millis"),
            Effect.tap(({ clicks }) => Effect.sync(() => (read += clicks.length)))
          )
      })
      const stored = [...clicks(1_500, "web"), ...clicks(1_500, "app"), ...clicks(1_500, "web")]
      const start = yield* inner.now
      yield* insert(stored)
      const { positions } = yield* inner.since(start, {}, 5_000)
      yield* Effect.gen(function* () {
        const feed = yield* ClickFeed.ClickFeed
        // Two dozen readers near each other, the last one first, and three single ones far ahead, the last of them in the newest log.
        const passed = [...Array.from({ length: 24 }, (_, index) => 1_000 - index * 40), 2_700, 3_900, 4_490]
        const readers = yield* Effect.forEach(passed, (index, number) =>
          readEvents(feed, number % 3 === 0 ? { source: "app" } : {}, positions[index - 1])
        )
        yield* TestClock.adjust("1 second")
        yield* insert(clicks(20, "app"))
        yield* TestClock.adjust("1 second")
        const found = yield* inner.since(start, {}, 5_000)
        for (const [number, { events }] of readers.entries()) {
          const wanted = found.clicks.slice(passed[number])
          const matching = number % 3 === 0 ? wanted.filter(({ source }) => source === "app") : wanted
          // Chai would take minutes to compare unequal lists.
          assert.isTrue(ids(yield* Queue.clear(events)).join() === ids(matching).join(), `reader ${number}`)
        }
        // Separately, they would read 85,000 clicks.
        assert.isBelow(read, 20_000)
      }).pipe(
        Effect.provide(
          feedOf({ logBytes: 3_200_000 }).pipe(Layer.provide(Layer.succeed(ClickArrivals, counting)))
        )
      )
    }).pipe(Effect.provide(stores))
  )

  it.effect("sends a position every 15 seconds without a click, even while other clicks do not match", () =>
    Effect.gen(function* () {
      const feed = yield* ClickFeed.ClickFeed
      const { events, start } = yield* readEvents(feed, { source: "app" })
      yield* TestClock.adjust("14 seconds")
      yield* insert(clicks(1, "web"))
      yield* TestClock.adjust("900 millis")
      assert.strictEqual(yield* Queue.size(events), 0)
      yield* TestClock.adjust("200 millis")
      const [beat] = yield* Queue.takeAll(events)
      assert.isUndefined(beat?.id)
      assert.notStrictEqual(beat?.position, start)
      yield* insert(clicks(1, "app"))
      const other = yield* readEvents(feed, {}, beat?.position)
      yield* poll
      assert.strictEqual(yield* Queue.size(other.events), 1)
    }).pipe(Effect.provide(feedOf()), Effect.provide(stores))
  )

  it.effect("rejects readers beyond the limit, and admits one when another disconnects", () =>
    Effect.gen(function* () {
      const feed = yield* ClickFeed.ClickFeed
      yield* feed.open({}, undefined)
      const refused = yield* Effect.scoped(
        Effect.gen(function* () {
          yield* feed.open({}, undefined)
          return yield* Effect.flip(feed.open({}, undefined))
        })
      )
      assert.deepInclude(refused, { _tag: "FeedFull", maxReaders: 2 })
      yield* feed.open({}, undefined)
    }).pipe(Effect.provide(feedOf({ maxReaders: 2 })), Effect.provide(stores))
  )

  it.effect("keeps readers while the store is down, and then sends the clicks stored meanwhile", () =>
    Effect.gen(function* () {
      const inner = yield* ClickArrivals
      const away = new ClickStoreError({ operation: "since", reason: "Unavailable", cause: "away" })
      let isAway = false
      const arrivals = ClickArrivals.of({
        ...inner,
        since: (...query) => Effect.suspend(() => (isAway ? away : inner.since(...query)))
      })
      yield* Effect.gen(function* () {
        const { events } = yield* ClickFeed.ClickFeed.use((feed) => readEvents(feed, {}))
        isAway = true
        const meanwhile = clicks(5, "web")
        yield* insert(meanwhile)
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(yield* Queue.size(events), 0)
        isAway = false
        yield* TestClock.adjust("3 seconds")
        assert.sameMembers(ids(yield* Queue.takeAll(events)), ids(meanwhile))
      }).pipe(Effect.provide(feedOf().pipe(Layer.provide(Layer.succeed(ClickArrivals, arrivals)))))
    }).pipe(Effect.provide(stores))
  )
})
