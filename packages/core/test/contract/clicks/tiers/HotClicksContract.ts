import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { compareListing } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { type Cut, isMoved } from "@clicks/core/clicks/tiers/Cut"
import { type Batch, HotBatches } from "@clicks/core/clicks/tiers/HotBatches"
import { HotClicks } from "@clicks/core/clicks/tiers/HotClicks"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Exit, type Layer, Schema, Stream } from "effect"
import { arbitraryBatch, arbitraryFilter, arbitraryPage } from "../arbitraryClicks.ts"
import { plainClick, plainClicks } from "../plainClick.ts"
import { expectReads } from "./tierReads.ts"

const minute = Duration.minutes(1)

const insert = (batch: ReadonlyArray<ClickEvent>) => ClickStore.use((store) => store.insert(batch))
const stored = ClickStore.use((store) => Stream.runCollect(store.stream({})))

const begin = (silentFor = minute) =>
  Effect.flatMap(HotBatches, (batches) =>
    Effect.map(batches.begin(silentFor), (batch): Batch => {
      if (batch === null) throw new Error("no attempt was opened")
      return batch
    })
  )
const complete = (attempt: number) =>
  HotBatches.use((batches) => batches.complete(attempt, { count: 1, checksum: "1" }))
const abandon = (attempt: number) => HotBatches.use((batches) => batches.abandon(attempt))

const cutNow = Effect.map(
  HotClicks.use((hot) => hot.cut),
  (cut): Cut => {
    if (cut === null) throw new Error("there is no cut")
    return cut
  }
)

/** Moves all waiting clicks, in as many batches as needed, and returns them. */
const moveAll = Effect.gen(function* () {
  const moved: Array<ClickEvent> = []
  const batches = yield* HotBatches
  for (;;) {
    const batch = yield* batches.begin(Duration.zero)
    if (batch === null) return moved
    const clicks = yield* Stream.runCollect(batch.clicks)
    assert.strictEqual(clicks.length, batch.count)
    moved.push(...clicks)
    assert.isTrue(yield* complete(batch.attempt))
  }
})

const sameClicks = (a: Iterable<ClickEvent>, b: Iterable<ClickEvent>) =>
  assert.deepStrictEqual(Array.from(a).sort(compareListing), Array.from(b).sort(compareListing))

const expectHot = Effect.fnUntraced(function* (clicks: Iterable<ClickEvent>) {
  yield* expectReads(yield* HotClicks, yield* cutNow, clicks)
})

/** The contract of `HotClicks` and `HotBatches`, with the store that they belong to. The tests share them; they are empty at first. */
export const suite = <E>(name: string, hot: Layer.Layer<ClickStore | HotClicks | HotBatches, E>): void =>
  layer(hot, { timeout: "60 seconds", excludeTestServices: true })(`HotClicks (${name})`, (it) => {
    it.effect("has no cut until all clicks have been moved once", () =>
      Effect.gen(function* () {
        const hot = yield* HotClicks
        const clicks = plainClicks(20)
        yield* insert(clicks)
        assert.isNull(yield* hot.cut)
        const { attempt } = yield* begin()
        assert.strictEqual(attempt, 1)
        assert.isNull(yield* hot.cut)
        assert.isTrue(yield* complete(attempt))
        sameClicks(yield* moveAll, [])
        assert.deepInclude(yield* cutNow, {
          mark: 1,
          abandoned: [],
          expired: null,
          expiredIds: null,
          removedUntil: null
        })
        yield* expectHot([])
        sameClicks(yield* stored, clicks)
      })
    )

    it.effect.prop(
      "counts and reads the clicks after the mark, even with a cut from before a move",
      [arbitraryBatch, arbitraryBatch, arbitraryFilter, arbitraryPage, Schema.Literals([true, false])],
      ([before, after, filter, { limit, ...page }, moves]) =>
        Effect.gen(function* () {
          const hot = yield* HotClicks
          yield* moveAll
          const added = yield* insert(before)
          const first = new Map(before.toReversed().map((click) => [click.id, click]))
          const clicks = Array.from(added, (id) => first.get(id) ?? plainClick())
          const cut = yield* cutNow
          if (moves) sameClicks(yield* moveAll, clicks)
          const later = yield* insert(after)
          const part = { limit, ...("after" in page && page.after && { after: page.after }) }
          yield* expectReads(hot, cut, clicks, filter, part)
          yield* expectReads(hot, cut, clicks)
          if (moves)
            yield* expectReads(
              hot,
              yield* cutNow,
              (yield* stored).filter(({ id }) => later.has(id))
            )
        }),
      { arbitrary: { runs: 40 } }
    )

    it.effect("advances the mark only when an attempt is completed, and only past its clicks", () =>
      Effect.gen(function* () {
        const batches = yield* HotBatches
        yield* moveAll
        const before = yield* cutNow
        const [moved, arrived] = [plainClicks(50), plainClicks(7)]
        yield* insert(moved)
        const batch = yield* begin()
        assert.isAbove(batch.attempt, before.mark)
        assert.strictEqual(batch.count, 50)
        assert.isNull(yield* batches.begin(minute))
        yield* insert(arrived)
        sameClicks(yield* Stream.runCollect(batch.clicks), moved)
        yield* expectHot([...moved, ...arrived])
        assert.isTrue(yield* complete(batch.attempt))
        const cut = yield* cutNow
        assert.strictEqual(cut.mark, batch.attempt)
        assert.isTrue(isMoved(cut, batch.attempt))
        yield* expectHot(arrived)
        yield* abandon(batch.attempt)
        assert.isFalse(yield* complete(batch.attempt))
        assert.deepInclude(yield* cutNow, { mark: cut.mark, abandoned: cut.abandoned })
        yield* expectHot(arrived)
        sameClicks(yield* moveAll, arrived)
      })
    )

    it.effect("keeps the clicks of an abandoned attempt in the hot store, and never reuses its number", () =>
      Effect.gen(function* () {
        const batches = yield* HotBatches
        yield* moveAll
        const { mark } = yield* cutNow
        const clicks = plainClicks(30)
        yield* insert(clicks)
        const first = yield* begin()
        assert.strictEqual(first.attempt, mark + 1)
        yield* abandon(first.attempt)
        assert.isFalse(yield* complete(first.attempt))
        yield* expectHot(clicks)
        assert.deepInclude(yield* cutNow, { mark })
        const second = yield* begin()
        assert.strictEqual(second.attempt, mark + 2)
        sameClicks(yield* Stream.runCollect(second.clicks), clicks)
        assert.isFalse(yield* complete(first.attempt))
        assert.isTrue(yield* complete(second.attempt))
        const cut = yield* cutNow
        assert.strictEqual(cut.mark, second.attempt)
        assert.include(cut.abandoned, first.attempt)
        assert.isFalse(isMoved(cut, first.attempt))
        assert.isNull(yield* batches.begin(minute))
      })
    )

    it.effect("lets a mover take over from a suspended one, whose attempt then fails", () =>
      Effect.gen(function* () {
        yield* moveAll
        const clicks = plainClicks(2000)
        yield* insert(clicks)
        const suspended = yield* begin()
        const other = yield* begin(Duration.zero)
        assert.strictEqual(other.attempt, suspended.attempt + 1)
        const rest = yield* Effect.exit(Stream.runCollect(suspended.clicks))
        if (Exit.isSuccess(rest)) assert.isBelow(rest.value.length, suspended.count)
        assert.isFalse(yield* complete(suspended.attempt))
        yield* abandon(suspended.attempt)
        sameClicks(yield* Stream.runCollect(other.clicks), clicks)
        assert.isTrue(yield* complete(other.attempt))
        assert.isFalse(yield* complete(suspended.attempt))
        yield* expectHot([])
      })
    )

    it.effect("opens one attempt when several movers begin at once", () =>
      Effect.gen(function* () {
        yield* moveAll
        yield* insert(plainClicks(10))
        const batches = yield* HotBatches
        const begun = yield* Effect.all(
          Array.from({ length: 8 }, () => batches.begin(minute)),
          { concurrency: "unbounded" }
        )
        const open = begun.filter((batch) => batch !== null)
        assert.lengthOf(open, 1)
        for (const { attempt } of open) yield* abandon(attempt)
        yield* moveAll
      })
    )

    it.effect("removes moved clicks that occurred before the instant, and keeps ids without a time", () =>
      Effect.gen(function* () {
        const batches = yield* HotBatches
        yield* moveAll
        const moved = plainClicks(20)
        const derived = plainClick({ id: Uuid.fromDigest(new Uint8Array(16).fill(7)) })
        const ahead = plainClick({ occurred_at: new Date("9998-01-01T00:00:00Z") })
        yield* insert([...moved, derived, ahead])
        yield* moveAll
        const waiting = plainClicks(5)
        yield* insert(waiting)
        assert.strictEqual(yield* batches.removeMoved(new Date("2020-01-01T00:00:00Z")), 0)
        const soon = new Date(Date.now() + 1000)
        const before = yield* stored
        const gone = yield* batches.removeMoved(soon)
        const left = yield* stored
        assert.strictEqual(left.length, before.length - gone)
        const ids = left.map(({ id }) => id)
        assert.includeMembers(
          ids,
          [ahead, ...waiting].map(({ id }) => id)
        )
        for (const { id } of [...moved, derived]) assert.notInclude(ids, id)
        const lost = before.filter(({ id }) => !ids.includes(id)).sort(compareListing)
        assert.deepStrictEqual((yield* cutNow).removedUntil, lost[0]?.occurred_at ?? null)
        assert.deepStrictEqual(yield* insert([derived]), new Set())
        yield* expectHot(waiting)
        assert.strictEqual(yield* batches.removeMoved(soon), 0)
      })
    )

    it.effect("excludes clicks with expired ids at once, and accepts them after their removal", () =>
      Effect.gen(function* () {
        const batches = yield* HotBatches
        const id = (number: number) => `64656d6f-0000-8000-8000-00000000000${number}`
        const clicks = [1, 2, 3, 4].map((number) => plainClick({ id: id(number) }))
        const [first, second, third, fourth] = clicks
        const kept = [first, fourth].flatMap((click) => click ?? [])
        const ids = { first: id(2), last: id(3) }
        yield* insert([first, second].flatMap((click) => click ?? []))
        yield* moveAll
        yield* insert([third, fourth].flatMap((click) => click ?? []))
        const open = yield* begin()
        yield* batches.expire(ids)
        assert.isFalse(yield* complete(open.attempt))
        assert.deepStrictEqual((yield* cutNow).expiredIds, ids)
        yield* expectHot(kept.slice(1))
        sameClicks(yield* moveAll, kept.slice(1))
        assert.strictEqual(yield* batches.removeExpired(ids), 2)
        assert.isNull((yield* cutNow).expiredIds)
        assert.deepStrictEqual(yield* insert(clicks), new Set([id(2), id(3)]))
        yield* moveAll
      })
    )

    it.effect("excludes expired clicks at once, until they are removed", () =>
      Effect.gen(function* () {
        const batches = yield* HotBatches
        yield* moveAll
        const [before, earlier] = [new Date("1950-01-01T00:00:00Z"), new Date("1940-01-01T00:00:00Z")]
        const old = { occurred_at: new Date("1945-01-01T00:00:00Z") }
        const expired = plainClicks(3, { ...old, received_at: old.occurred_at })
        const kept = [...plainClicks(3, old), ...plainClicks(2, { received_at: old.occurred_at })]
        yield* insert([...expired, ...kept])
        const open = yield* begin()
        yield* batches.expire(before)
        yield* batches.expire(earlier)
        assert.isFalse(yield* complete(open.attempt))
        assert.deepStrictEqual((yield* cutNow).expired, before)
        yield* expectHot(kept)
        sameClicks(yield* moveAll, kept)
        yield* expectHot([])
        yield* batches.removeExpired(earlier)
        assert.deepStrictEqual((yield* cutNow).expired, before)
        assert.isAtLeast(yield* batches.removeExpired(before), 3)
        assert.isNull((yield* cutNow).expired)
        const ids = (yield* stored).map(({ id }) => id)
        for (const { id } of expired) assert.notInclude(ids, id)
        assert.includeMembers(
          ids,
          kept.map(({ id }) => id)
        )
      })
    )
  })
