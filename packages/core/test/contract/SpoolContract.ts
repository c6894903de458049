import { assert, describe, it, layer } from "@effect/vitest"
import { Arbitrary, Effect, type Layer } from "effect"
import type { Spool, SpooledClick } from "../../src/clicks/Spool.ts"
import { arbitraryClick } from "./arbitraryClicks.ts"
import { append, peek, remove, spooledClick, spooledClicks, status } from "./spooledClicks.ts"

/** The click with an original that could not be stored as it was. */
const lossy = (reason: string, original: Uint8Array): SpooledClick => {
  const { event } = spooledClick()
  return { event, quarantined: { click_id: event.id, received_at: event.received_at, reason, original } }
}

const everything = 1_000_000

/** What waits, without the places. */
export const waiting = Effect.map(peek(everything), (entries) =>
  entries.map(({ event, quarantined }) => ({ event, quarantined: quarantined && plain(quarantined) }))
)

const plain = <A extends { readonly original: Uint8Array }>(quarantined: A) => ({
  ...quarantined,
  original: Array.from(quarantined.original)
})

const written = (clicks: ReadonlyArray<SpooledClick>) =>
  clicks.map(({ event, quarantined }) => ({ event, quarantined: quarantined && plain(quarantined) }))

/** What every `Spool` keeps to. Each test builds the layer anew and takes it to be empty. */
export const suite = <E>(name: string, spool: Layer.Layer<Spool, E>): void => {
  const test = <A, E2>(sentence: string, effect: () => Effect.Effect<A, E2, Spool>) =>
    it.live(sentence, () => effect().pipe(Effect.provide(spool, { local: true })))

  layer(spool, { timeout: "60 seconds", excludeTestServices: true })(`Spool (${name})`, (it) => {
    it.effect.prop(
      "keeps every click that the rules let through",
      [Arbitrary.array(arbitraryClick, { maxLength: 20 })],
      ([events]) =>
        Effect.gen(function* () {
          const clicks = events.map((event) => ({ event, quarantined: null }))
          yield* append(clicks)
          assert.deepStrictEqual(yield* waiting, written(clicks))
          yield* remove((yield* peek(everything)).map((entry) => entry.position))
        }),
      { arbitrary: { runs: 100 } }
    )
  })

  describe(`Spool (${name})`, () => {
    test("is empty at first, also when nothing is put in", () =>
      Effect.gen(function* () {
        yield* append([])
        yield* remove([])
        assert.deepStrictEqual(yield* peek(10), [])
        assert.deepInclude(yield* status, { depth: 0, oldest: null, set_aside: 0 })
      }))

    test("gives clicks in the order they came, as they were, and keeps them", () =>
      Effect.gen(function* () {
        const clicks = spooledClicks(250)
        yield* append(clicks.slice(0, 100))
        yield* append(clicks.slice(100, 101))
        yield* append(clicks.slice(101))
        assert.deepStrictEqual(yield* waiting, written(clicks))
        assert.deepStrictEqual(yield* waiting, written(clicks))
        const first = yield* peek(7)
        assert.deepStrictEqual(written(first), written(clicks.slice(0, 7)))
      }))

    test("gives what stands behind a place, also when that place is empty by then", () =>
      Effect.gen(function* () {
        const clicks = spooledClicks(20)
        yield* append(clicks)
        const first = yield* peek(7)
        const last = first.at(-1)?.position
        assert.deepStrictEqual(written(yield* peek(5, last)), written(clicks.slice(7, 12)))
        yield* remove(first.map((entry) => entry.position))
        assert.deepStrictEqual(written(yield* peek(50, last)), written(clicks.slice(7)))
        assert.deepStrictEqual(yield* peek(1, (yield* peek(50)).at(-1)?.position), [])
      }))

    test("keeps originals to the byte", () =>
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

    test("takes out what it is told to, wherever it stands, and nothing else", () =>
      Effect.gen(function* () {
        const clicks = spooledClicks(20)
        yield* append(clicks)
        const entries = yield* peek(20)
        const leaving = entries.filter((_, index) => index < 3 || index === 7 || index > 17)
        yield* remove(leaving.map((entry) => entry.position).reverse())
        assert.deepStrictEqual(
          yield* waiting,
          written(clicks.filter((_, index) => !(index < 3 || index === 7 || index > 17)))
        )
        yield* remove(leaving.map((entry) => entry.position))
        assert.strictEqual((yield* status).depth, 14)
      }))

    test("never gives a place twice", () =>
      Effect.gen(function* () {
        yield* append(spooledClicks(5))
        const before = yield* peek(5)
        yield* remove(before.map((entry) => entry.position))
        yield* append(spooledClicks(5))
        yield* remove(before.map((entry) => entry.position))
        assert.strictEqual((yield* status).depth, 5)
      }))

    test("tells how many wait, and since when", () =>
      Effect.gen(function* () {
        const clicks = spooledClicks(30)
        yield* append(clicks)
        assert.deepInclude(yield* status, { depth: 30, oldest: clicks[0]?.event.received_at ?? null })
        yield* remove((yield* peek(10)).map((entry) => entry.position))
        assert.deepInclude(yield* status, { depth: 20, oldest: clicks[10]?.event.received_at ?? null })
        yield* remove((yield* peek(30)).map((entry) => entry.position))
        assert.deepInclude(yield* status, { depth: 0, oldest: null })
      }))

    test("takes from several at once, each batch whole and in one piece", () =>
      Effect.gen(function* () {
        const batches = Array.from({ length: 12 }, () => spooledClicks(25))
        yield* Effect.forEach(batches, append, { concurrency: "unbounded", discard: true })
        const found = (yield* waiting).map(({ event }) => event.id)
        const starts = batches.map((batch) => found.indexOf(batch[0]?.event.id ?? ""))
        assert.deepStrictEqual(
          starts.map((start, index) => found.slice(start, start + (batches[index]?.length ?? 0))),
          batches.map((batch) => batch.map(({ event }) => event.id))
        )
        assert.lengthOf(found, 300)
      }))
  })
}

/** What every `Spool` of bounded size keeps to; `spool` has room for some clicks and not for 20,000. */
export const boundedSuite = <E>(name: string, spool: Layer.Layer<Spool, E>): void => {
  describe(`Spool of bounded size (${name})`, () => {
    it.live("refuses a batch that does not fit, all of it, and takes clicks again when there is room", () =>
      Effect.gen(function* () {
        yield* append(spooledClicks(100))
        const error = yield* Effect.flip(append(spooledClicks(20_000)))
        assert.strictEqual(error.reason, "Full")
        assert.strictEqual((yield* status).depth, 100)

        let filled = 100
        while (yield* Effect.isSuccess(append(spooledClicks(20)))) filled += 20
        assert.strictEqual((yield* status).depth, filled)
        assert.strictEqual((yield* Effect.flip(append(spooledClicks(20)))).reason, "Full")

        yield* remove((yield* peek(filled / 2)).map((entry) => entry.position))
        const late = spooledClicks(20)
        yield* append(late)
        assert.deepStrictEqual((yield* waiting).slice(-20), written(late))
      }).pipe(Effect.provide(spool, { local: true }))
    )
  })
}
