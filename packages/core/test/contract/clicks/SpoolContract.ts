import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { QuarantinedClick } from "@clicks/core/clicks/recording/Quarantine"
import type { Spool, SpoolError, SpooledClick } from "@clicks/core/clicks/recording/Spool"
import { assert, describe, it, layer } from "@effect/vitest"
import { Arbitrary, Effect, type Layer } from "effect"
import { arbitraryClick } from "./arbitraryClicks.ts"
import {
  append,
  batches,
  discard,
  spooledClick,
  spooledClicks,
  status,
  takeOut,
  waitingClicks
} from "./spooledClicks.ts"

/** The click with an original, as if it could not be stored as sent. */
const lossy = (reason: string, original: Uint8Array): SpooledClick => {
  const { event } = spooledClick()
  return { event, quarantined: { click_id: event.id, received_at: event.received_at, reason, original } }
}

interface WaitingClick {
  readonly event: ClickEvent
  readonly quarantined: (Omit<QuarantinedClick, "original"> & { original: Array<number> }) | null
}

/** The waiting clicks, in a form that can be compared byte by byte. */
export const waiting: Effect.Effect<ReadonlyArray<WaitingClick>, SpoolError, Spool> = Effect.map(
  waitingClicks,
  (clicks) => written(clicks)
)

const plain = <A extends { readonly original: Uint8Array }>(quarantined: A) => ({
  ...quarantined,
  original: Array.from(quarantined.original)
})

const written = (clicks: ReadonlyArray<SpooledClick>) =>
  clicks.map(({ event, quarantined }) => ({ event, quarantined: quarantined && plain(quarantined) }))

/** The contract of every `Spool`. Each test builds the layer again and expects it to be empty. */
export const suite = <E>(name: string, spool: Layer.Layer<Spool, E>): void => {
  const test = <A, E2>(sentence: string, effect: () => Effect.Effect<A, E2, Spool>) =>
    it.live(sentence, () => effect().pipe(Effect.provide(spool, { local: true })))

  layer(spool, { timeout: "60 seconds", excludeTestServices: true })(`Spool (${name})`, (it) => {
    it.effect.prop(
      "keeps every valid click",
      [Arbitrary.array(arbitraryClick, { maxLength: 20 })],
      ([events]) =>
        Effect.gen(function* () {
          const clicks = events.map((event) => ({ event, quarantined: null }))
          yield* append(clicks)
          assert.deepStrictEqual(yield* waiting, written(clicks))
          yield* takeOut()
        }),
      { arbitrary: { runs: 100 } }
    )
  })

  describe(`Spool (${name})`, () => {
    test("is empty at first, and after appending nothing", () =>
      Effect.gen(function* () {
        yield* append([])
        assert.deepStrictEqual(yield* batches(10), [])
        assert.deepInclude(yield* status, { depth: 0, oldest: null, set_aside: 0 })
      }))

    test("returns clicks unchanged, in the order in which they were appended, and keeps them", () =>
      Effect.gen(function* () {
        const clicks = spooledClicks(250)
        yield* append(clicks.slice(0, 100))
        yield* append(clicks.slice(100, 101))
        yield* append(clicks.slice(101))
        assert.deepStrictEqual(yield* waiting, written(clicks))
        assert.deepStrictEqual(yield* waiting, written(clicks))
      }))

    test("reads in batches of at most the given size and marks the last of each segment", () =>
      Effect.gen(function* () {
        const clicks = spooledClicks(23)
        yield* append(clicks)
        const read = yield* batches(10)
        assert.isAtMost(Math.max(...read.map((batch) => batch.clicks.length)), 10)
        assert.deepStrictEqual(written(read.flatMap((batch) => batch.clicks)), written(clicks))
        for (const [index, { isLast, segment }] of read.entries()) {
          assert.strictEqual(isLast, read[index + 1]?.segment !== segment)
        }
      }))

    test("keeps originals byte for byte", () =>
      Effect.gen(function* () {
        const clicks = [
          lossy("store_id is not a text", new Uint8Array(0)),
          lossy(
            'it\'s "odd" \0 \ud83d 😀',
            Uint8Array.from({ length: 256 }, (_, byte) => byte)
          ),
          spooledClick(),
          lossy("", new Uint8Array(70_000).fill(0xff))
        ]
        yield* append(clicks)
        assert.deepStrictEqual(yield* waiting, written(clicks))
      }))

    test("discards a segment and keeps what was appended after it was read", () =>
      Effect.gen(function* () {
        const [early, late] = [spooledClicks(20), spooledClicks(14)]
        yield* append(early)
        const read = yield* batches(500)
        yield* append(late)
        for (const { isLast, segment } of read) if (isLast) yield* discard(segment)
        assert.deepStrictEqual(yield* waiting, written(late))
        assert.strictEqual((yield* status).depth, 14)
      }))

    test("ignores a segment that is already discarded", () =>
      Effect.gen(function* () {
        yield* append(spooledClicks(5))
        const [batch] = yield* batches(500)
        yield* takeOut()
        yield* append(spooledClicks(5))
        yield* discard(batch?.segment ?? "")
        assert.strictEqual((yield* status).depth, 5)
      }))

    test("reports how many clicks wait, and since when", () =>
      Effect.gen(function* () {
        const before = Date.now()
        yield* append(spooledClicks(30))
        const { depth, oldest } = yield* status
        assert.strictEqual(depth, 30)
        assert.isAtLeast(oldest?.getTime() ?? 0, before)
        assert.isAtMost(oldest?.getTime() ?? 0, Date.now())
        yield* takeOut()
        assert.deepInclude(yield* status, { depth: 0, oldest: null })
      }))

    test("keeps each of several concurrent appends complete and in one piece", () =>
      Effect.gen(function* () {
        const batches = Array.from({ length: 12 }, () => spooledClicks(25))
        yield* Effect.forEach(batches, append, { concurrency: "unbounded", discard: true })
        const found = (yield* waitingClicks).map(({ event }) => event.id)
        const starts = batches.map((batch) => found.indexOf(batch[0]?.event.id ?? ""))
        assert.deepStrictEqual(
          starts.map((start, index) => found.slice(start, start + (batches[index]?.length ?? 0))),
          batches.map((batch) => batch.map(({ event }) => event.id))
        )
        assert.lengthOf(found, 300)
      }))
  })
}

/** The contract of every `Spool` of bounded size. `spool` must have room for some clicks but not for 20,000. */
export const boundedSuite = <E>(name: string, spool: Layer.Layer<Spool, E>): void => {
  describe(`Spool of bounded size (${name})`, () => {
    it.live("rejects a whole batch that does not fit, and accepts clicks again when there is room", () =>
      Effect.gen(function* () {
        yield* append(spooledClicks(100))
        const error = yield* Effect.flip(append(spooledClicks(20_000)))
        assert.strictEqual(error.reason, "Full")
        assert.strictEqual((yield* status).depth, 100)

        let filled = 100
        while (yield* Effect.isSuccess(append(spooledClicks(20)))) filled += 20
        assert.strictEqual((yield* status).depth, filled)
        assert.strictEqual((yield* Effect.flip(append(spooledClicks(20)))).reason, "Full")

        yield* takeOut(1)
        const late = spooledClicks(20)
        yield* append(late)
        assert.deepStrictEqual((yield* waiting).slice(-20), written(late))
      }).pipe(Effect.provide(spool, { local: true }))
    )
  })
}
