import { type ClickEvent, compareListing, fieldNames } from "@clicks/core/clicks/ClickEvent"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import type { Cut } from "@clicks/core/clicks/tiers/Cut"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Schema, Stream } from "effect"
import { arbitraryBatch, arbitraryFilter, arbitraryPage } from "../arbitraryClicks.ts"
import { plainClick, plainClicks } from "../plainClick.ts"
import { expectReads } from "./tierReads.ts"

const cutAt = (mark: number, fields: Partial<Cut> = {}): Cut => ({
  mark,
  abandoned: [],
  expired: null,
  expiredIds: null,
  removedUntil: null,
  arrivals: "",
  ...fields
})

const write = (attempt: number, clicks: ReadonlyArray<ClickEvent>) =>
  ClickArchive.use((archive) => archive.write(attempt, Stream.fromIterable(clicks, { chunkSize: 7 })))
const check = (attempt: number) => ClickArchive.use((archive) => archive.check(attempt))

/** A click that differs in one field. */
const changed = (click: ClickEvent, field: keyof ClickEvent): ClickEvent => {
  if (field === "id") return { ...click, id: Uuid.make(0) }
  if (field === "action") return { ...click, action: "compare" }
  if (field === "device_type") return { ...click, device_type: "tablet" }
  if (field.endsWith("_at")) return { ...click, [field]: new Date(1) }
  return { ...click, [field]: field === "visitor_lat" || field === "visitor_lng" ? 5e-324 : "other" }
}

const minute = 60_000

/** The contract of every `ClickArchive`. The tests share one archive, which is empty at first. */
export const suite = <E>(name: string, archive: Layer.Layer<ClickArchive, E>): void =>
  layer(archive, { timeout: "60 seconds", excludeTestServices: true })(`ClickArchive (${name})`, (it) => {
    const attempts: Array<ReadonlyArray<ClickEvent>> = []
    let last = 0
    const ids = new Set<string>()

    /** Writes clicks under a new attempt and checks that they are stored. */
    const add = Effect.fnUntraced(function* (clicks: ReadonlyArray<ClickEvent>) {
      const sent = yield* write(++last, clicks)
      assert.strictEqual(sent.count, clicks.length)
      assert.deepStrictEqual(yield* check(last), sent)
      attempts[last] = clicks
      return last
    })

    it.effect("accepts writes and is empty at first", () =>
      Effect.gen(function* () {
        const archive = yield* ClickArchive
        yield* archive.ping
        assert.strictEqual((yield* check(1)).count, 0)
        yield* expectReads(archive, cutAt(0), [])
        yield* archive.forget([])
      })
    )

    it.effect.prop(
      "counts, reads and finds the clicks of moved attempts, and no others",
      [
        arbitraryBatch,
        arbitraryFilter,
        arbitraryPage,
        Schema.Struct({
          newer: Schema.Literals([0, 0, 1, 3]),
          abandoned: Schema.Array(Schema.Literals([1, 2, 5, 9, 14])).check(Schema.isMaxLength(3)),
          isExpiring: Schema.Literals([false, false, true])
        })
      ],
      ([batch, filter, { limit, ...page }, { abandoned, isExpiring, newer }]) =>
        Effect.gen(function* () {
          const archive = yield* ClickArchive
          yield* add(batch.filter(({ id }) => !ids.has(id) && ids.add(id)))
          const mark = Math.max(0, last - newer)
          const expired = isExpiring ? new Date("2026-11-20T12:00:00.002Z") : null
          const cut = cutAt(mark, {
            expired,
            abandoned: abandoned.filter((attempt) => attempt <= mark).sort((a, b) => a - b)
          })
          const moved = attempts.flatMap((clicks, attempt) =>
            attempt <= mark && !cut.abandoned.includes(attempt) ? clicks : []
          )
          const shown = moved.filter(
            ({ occurred_at, received_at }) => !expired || occurred_at >= expired || received_at >= expired
          )
          const after = "after" in page && page.after !== undefined ? { after: page.after } : {}
          yield* expectReads(archive, cut, shown, filter, { limit, ...after })
          yield* expectReads(archive, cut, shown)
          const sought = [...ids, Uuid.make(0)].filter((_, index) => index % 3 === 0)
          assert.deepStrictEqual(
            (yield* archive.find(cut, sought)).toSorted(compareListing),
            shown.filter(({ id }) => sought.includes(id)).sort(compareListing)
          )
        }),
      { arbitrary: { runs: 60 } }
    )

    it.effect("returns values unchanged", () =>
      Effect.gen(function* () {
        const source = "values"
        const long = "0123456789 Zoë 😀 ".repeat(3000)
        const texts = [
          "",
          " ",
          "'",
          '"',
          "\\",
          "{}",
          "NULL",
          "null",
          "\\N",
          "\n\t\b",
          "\u007f",
          "\ufffd",
          long
        ]
        const clicks = [
          ...texts.map((text) =>
            plainClick({ source, product_id: text, store_id: text, user_agent: text, url_path: text })
          ),
          ...[5e-324, -5e-324, 1.7976931348623157e308, -0.1, 1 / 3].map((degrees) =>
            plainClick({ source, visitor_lat: degrees, visitor_lng: -degrees })
          ),
          ...["0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"].map(
            (time) => plainClick({ source, occurred_at: new Date(time), received_at: new Date(time) })
          )
        ]
        const cut = cutAt(yield* add(clicks))
        yield* expectReads(yield* ClickArchive, cut, clicks, { source })
      })
    )

    it.effect("has different tallies for texts that look alike", () =>
      Effect.gen(function* () {
        const click = plainClick({})
        const tally = Effect.fnUntraced(function* (store_id: string | null, brand_id: string | null) {
          const sent = yield* write(++last, [{ ...click, store_id, brand_id }])
          assert.deepStrictEqual(yield* check(last), sent)
          return sent.checksum
        })
        const tallies = yield* Effect.forEach(
          [
            [null, "a"],
            ["\\N", "a"],
            ["\\N", null],
            [null, "\\N"],
            ["a\tb", "c"],
            ["a", "b\tc"],
            ["a\t", "c"],
            ["a", "\tc"],
            ["\t", ""],
            ["", "\t"],
            ["\\N\ta", "b"],
            [null, "a\tb"]
          ] as const,
          ([store_id, brand_id]) => tally(store_id, brand_id)
        )
        assert.strictEqual(new Set(tallies).size, tallies.length)
      })
    )

    it.effect("has equal tallies for the same clicks in any order, and different ones for other clicks", () =>
      Effect.gen(function* () {
        const clicks = plainClicks(20, { store_id: "s-1", visitor_lat: 33.45 })
        const [first, ...rest] = clicks
        if (first === undefined) return
        const tally = yield* write(++last, clicks)
        assert.deepStrictEqual(yield* write(++last, clicks.toReversed()), tally)
        for (const field of fieldNames) {
          if (field === "event_type") continue
          const other = yield* write(++last, [...rest, changed(first, field)])
          assert.notDeepEqual(other, tally, field)
          assert.deepStrictEqual(yield* check(last), other, field)
        }
        yield* write(last, [])
        yield* write(last, [first])
        assert.notDeepEqual(yield* check(last), tally)
        const doubled = ++last
        yield* write(doubled, clicks)
        yield* write(doubled, [first])
        assert.strictEqual((yield* check(doubled)).count, 21)
      })
    )

    it.effect("fails a write whose clicks fail, and shows nothing of it to readers", () =>
      Effect.gen(function* () {
        const archive = yield* ClickArchive
        const source = "interrupted"
        const kept = yield* add(plainClicks(3, { source }))
        const broken = Stream.fromIterable(plainClicks(2000, { source })).pipe(
          Stream.concat(Stream.fail("the hot store went away"))
        )
        const error = yield* Effect.flip(archive.write(++last, broken))
        assert.strictEqual(error, "the hot store went away")
        yield* expectReads(archive, cutAt(last, { abandoned: [last] }), attempts[kept] ?? [], { source })
      })
    )

    it.effect("deletes only the clicks of the given attempts", () =>
      Effect.gen(function* () {
        const archive = yield* ClickArchive
        const source = "forgotten"
        const [one, two, three] = [
          yield* add(plainClicks(50, { source })),
          yield* add(plainClicks(60, { source })),
          yield* add(plainClicks(70, { source }))
        ]
        const before = yield* Effect.forEach([one, three], check)
        yield* archive.forget([two, last + 100])
        yield* archive.forget([two])
        assert.strictEqual((yield* check(two)).count, 0)
        assert.deepStrictEqual(yield* Effect.forEach([one, three], check), before)
        const rest = [...(attempts[one] ?? []), ...(attempts[three] ?? [])]
        yield* expectReads(archive, cutAt(last, { abandoned: [two] }), rest, { source })
      })
    )

    it.effect("removes the clicks that occurred and were received before an instant, of any attempt", () =>
      Effect.gen(function* () {
        const archive = yield* ClickArchive
        const source = "expired"
        const at = (occurred: number, received: number) =>
          plainClick({ source, occurred_at: new Date(occurred), received_at: new Date(received) })
        const before = Date.UTC(1950, 0, 1)
        const kept = [
          at(before, before),
          at(before - 1, before),
          at(before, before - 1),
          at(before + minute, 0)
        ]
        const gone = [at(before - 1, before - 1), at(before - 1e12, before - minute)]
        yield* add([...gone.slice(1), ...kept.slice(2)])
        yield* add([...gone.slice(0, 1), ...kept.slice(0, 2)])
        yield* expectReads(archive, cutAt(last), [...kept, ...gone], { source })
        yield* expectReads(archive, cutAt(last, { expired: new Date(before) }), kept, { source })
        yield* archive.remove(new Date(before))
        yield* expectReads(archive, cutAt(last), kept, { source })
        yield* archive.remove(new Date(before))
      })
    )

    it.effect("removes the clicks with ids in a range, of any attempt", () =>
      Effect.gen(function* () {
        const archive = yield* ClickArchive
        const source = "expired ids"
        const id = (number: number) => `64656d6f-0000-8000-8000-0000000000${number}`
        const clicks = [10, 11, 12, 13].map((number) => plainClick({ source, id: id(number) }))
        const expiredIds = { first: id(11), last: id(12) }
        yield* add(clicks.slice(2))
        const last = yield* add(clicks.slice(0, 2))
        const kept = [...clicks.slice(0, 1), ...clicks.slice(3)]
        yield* expectReads(archive, cutAt(last), clicks, { source })
        yield* expectReads(archive, cutAt(last, { expiredIds }), kept, { source })
        yield* archive.remove(expiredIds)
        yield* expectReads(archive, cutAt(last), kept, { source })
      })
    )

    it.effect(
      "reads thousands of clicks of one instant in parts and as one stream, and releases abandoned streams",
      () =>
        Effect.gen(function* () {
          const archive = yield* ClickArchive
          const source = "instant"
          const clicks = plainClicks(3000, { source, url_path: "/".repeat(500) })
          const cut = cutAt(yield* add(clicks))
          const sorted = clicks.toSorted(compareListing)
          yield* expectReads(archive, cut, clicks, { source })
          for (const after of [sorted[0], sorted[999], sorted[2998], sorted[2999]])
            yield* expectReads(archive, cut, clicks, { source }, { limit: 1000, ...(after && { after }) })
          const first = Stream.runCollect(Stream.take(archive.read(cut, { source }, {}), 1))
          const firsts = yield* Effect.all(
            Array.from({ length: 15 }, () => first),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            firsts.flat(),
            Array.from({ length: 15 }, () => sorted[0])
          )
          yield* archive.ping
        })
    )

    it.effect("continues a stream unchanged while batches arrive", () =>
      Effect.gen(function* () {
        const archive = yield* ClickArchive
        const source = "moment"
        const clicks = plainClicks(2000, { source })
        const cut = cutAt(yield* add(clicks))
        let seen = 0
        const found = yield* archive.read(cut, { source }, {}).pipe(
          Stream.tap(() => (seen++ % 500 === 0 ? add(plainClicks(2, { source })) : Effect.void)),
          Stream.runCollect
        )
        assert.deepStrictEqual(Array.from(found), clicks.toSorted(compareListing))
      })
    )
  })
