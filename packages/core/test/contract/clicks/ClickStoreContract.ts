import { decodeCursor } from "@clicks/core/clicks/ClickCursor"
import { type ClickEvent, compareListing } from "@clicks/core/clicks/ClickEvent"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import type { ClickPage, ClickQuery } from "@clicks/core/clicks/ClickQuery"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as ClickStorePromise from "@clicks/core/clicks/ClickStorePromise"
import * as Uuid from "@clicks/core/values/Uuid"
import { assert, layer } from "@effect/vitest"
import { Arbitrary, Effect, type Layer, Schema, Stream } from "effect"
import { arbitraryBatch, arbitraryFilter, arbitraryPage } from "./arbitraryClicks.ts"
import { expectedPage } from "./expectedPage.ts"
import { plainClick as click, plainClicks as clicks } from "./plainClick.ts"

const noon = Date.UTC(2026, 10, 20, 12)

const insert = (batch: ReadonlyArray<ClickEvent>) => ClickStore.use((store) => store.insert(batch))
const list = (query: ClickQuery) => ClickStore.use((store) => store.list(query))
const collect = (filter: ClickFilter) => ClickStore.use((store) => Stream.runCollect(store.stream(filter)))

const ids = (events: Iterable<{ readonly id: string }>) => Array.from(events, (event) => event.id)

const cursorQuery = (filter: ClickFilter, limit: number, cursor: string | null) => {
  const first: ClickQuery = { filter, limit, offset: 0 }
  return cursor === null
    ? Effect.succeed(first)
    : Effect.map(
        Effect.fromResult(decodeCursor(cursor, filter)),
        (after): ClickQuery => ({ ...first, after })
      )
}

/** All pages from the first to the last, by cursor. `between` runs before each page except the first. */
const pageThrough = Effect.fnUntraced(function* <E, R>(
  filter: ClickFilter,
  limit: number,
  between: Effect.Effect<unknown, E, R>
) {
  const found: Array<ClickEvent> = []
  let cursor: string | null = null
  do {
    const page: ClickPage = yield* list(yield* cursorQuery(filter, limit, cursor))
    found.push(...page.events)
    cursor = page.next_cursor
    yield* between
  } while (cursor !== null)
  return found
})

export interface SuiteOptions {
  /** Whether a stream reads one snapshot. If not, it may also contain clicks that arrive while it is read. */
  readonly snapshot?: boolean
}

/** The contract of a store implemented with promises: the same, except that streams need not read one snapshot. */
export const promiseSuite = (name: string, store: ClickStorePromise.ClickStorePromise): void =>
  suite(name, ClickStorePromise.layer(store), { snapshot: false })

/** The contract of every `ClickStore`. The tests share one store, which is empty at first. */
export const suite = <E>(
  name: string,
  store: Layer.Layer<ClickStore, E>,
  { snapshot = true }: SuiteOptions = {}
): void =>
  layer(store, { timeout: "60 seconds", excludeTestServices: true })(`ClickStore (${name})`, (it) => {
    // All clicks that the properties have stored, as first stored.
    const stored = new Map<string, ClickEvent>()

    it.effect.prop(
      "insert stores each id once, as first received, and returns the new ids",
      [Arbitrary.array(arbitraryBatch, { maxLength: 3 })],
      ([batches]) =>
        Effect.gen(function* () {
          for (const batch of batches) {
            const isNew = batch.filter((event) => !stored.has(event.id) && stored.set(event.id, event))
            assert.deepStrictEqual(yield* insert(batch), new Set(ids(isNew)))
            assert.deepStrictEqual(yield* insert(batch), new Set())
          }
          assert.deepStrictEqual(yield* collect({}), Array.from(stored.values()).sort(compareListing))
        }),
      { arbitrary: { runs: 30 } }
    )

    it.effect.prop(
      "list returns what a recount finds",
      [arbitraryFilter, arbitraryPage],
      ([filter, page]) =>
        Effect.gen(function* () {
          const query = { filter, ...page }
          assert.deepStrictEqual(yield* list(query), expectedPage(stored.values(), query))
        }),
      { arbitrary: { runs: 150 } }
    )

    it.effect.prop(
      "a page begins after any given click",
      [arbitraryFilter, arbitraryPage, Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))],
      ([filter, { limit }, number]) =>
        Effect.gen(function* () {
          const some = Array.from(stored.values())
          const after = some[number % some.length] ?? click()
          const query = { filter: { ...(filter.to && { to: filter.to }) }, limit, offset: 0, after }
          assert.deepStrictEqual(yield* list(query), expectedPage(some, query))
        }),
      { arbitrary: { runs: 50 } }
    )

    it.effect.prop(
      "stream returns the clicks that list returns, and the total is their number",
      [arbitraryFilter],
      ([filter]) =>
        Effect.gen(function* () {
          const streamed = yield* collect(filter)
          assert.deepStrictEqual(yield* pageThrough(filter, 1000, Effect.void), streamed)
          assert.strictEqual((yield* list({ filter, limit: 1, offset: 0 })).total, streamed.length)
        }),
      { arbitrary: { runs: 50 } }
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
          "{a,b}",
          "NULL",
          "null",
          "\n\t",
          "\u007f",
          "\ufffd",
          "😀",
          long
        ]
        const random = Array.from({ length: 20_000 }, (_, index) =>
          String.fromCharCode(0x4e00 + ((index * 7919) % 20_000))
        )
        const batch = [
          ...texts.map((text) =>
            click({ source, product_id: text, store_id: text, user_agent: text, url_path: text })
          ),
          click({ source, product_id: random.join(""), campaign_id: random.join("") }),
          ...[5e-324, -5e-324, 1.7976931348623157e308, -0.1, 1 / 3, -112.07].map((degrees) =>
            click({ source, visitor_lat: degrees, visitor_lng: -degrees })
          ),
          ...[
            "0001-01-01T00:00:00.000Z",
            "1883-11-18T12:03:58.001Z",
            "2000-01-01T00:00:00.000Z",
            "9999-12-31T23:59:59.999Z"
          ].map((time) => click({ source, occurred_at: new Date(time), received_at: new Date(time) }))
        ]
        assert.strictEqual((yield* insert(batch)).size, batch.length)
        assert.deepStrictEqual(yield* collect({ source }), batch.sort(compareListing))
        for (const event of batch) {
          const found = yield* collect({
            source,
            product_id: event.product_id,
            from: event.occurred_at,
            to: event.occurred_at
          })
          assert.deepInclude(found, event)
        }
      })
    )

    it.effect("accepts an empty batch", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* insert([]), new Set())
      })
    )

    it.effect("lists clicks as soon as insert returns", () =>
      Effect.gen(function* () {
        for (const event of clicks(20, { source: "answered" })) {
          yield* insert([event])
          const page = yield* list({ filter: { source: "answered" }, limit: 1, offset: 0 })
          assert.deepStrictEqual(page.events, [event])
        }
      })
    )

    it.effect("pages by offset through the whole list when thousands share one instant", () =>
      Effect.gen(function* () {
        const source = "offset"
        const batch = clicks(2500, { source })
        yield* insert(batch)
        const found: Array<ClickEvent> = []
        for (let offset = 0; offset < 2600; offset += 400) {
          const page = yield* list({ filter: { source }, limit: 400, offset })
          assert.strictEqual(page.total, 2500)
          found.push(...page.events)
        }
        assert.deepStrictEqual(ids(found), ids(batch.sort(compareListing)))
      })
    )

    it.effect("neither repeats nor skips between cursor pages while clicks of the same instant arrive", () =>
      Effect.gen(function* () {
        const source = "cursor"
        const batch = clicks(2500, { source })
        yield* insert(batch)
        const before = click().id
        const arrivals = Effect.suspend(() =>
          insert([
            click({ source }),
            click({
              source,
              id: before.replace(/^.{8}/, "00000000").replace(/.{4}$/, Uuid.make(noon).slice(-4))
            }),
            click({ source, occurred_at: new Date(noon + 1) }),
            click({ source, occurred_at: new Date(noon - 1) })
          ])
        )
        const found = ids(yield* pageThrough({ source }, 170, arrivals))
        assert.strictEqual(new Set(found).size, found.length)
        const wanted = new Set(ids(batch))
        assert.deepStrictEqual(
          found.filter((id) => wanted.has(id)),
          ids(batch.sort(compareListing))
        )
      })
    )

    it.effect("reports each id as new once when overlapping batches arrive at once", () =>
      Effect.gen(function* () {
        const source = "overlap"
        const all = clicks(600, { source })
        const batches = Array.from({ length: 12 }, (_, index) => {
          const part = all.slice(index * 40, index * 40 + 160)
          return index % 2 === 0 ? part : part.toReversed()
        })
        const answers = yield* Effect.forEach(batches, insert, { concurrency: "unbounded" })
        assert.deepStrictEqual(answers.flatMap((added) => Array.from(added)).sort(), ids(all))
        assert.deepStrictEqual(ids(yield* collect({ source })), ids(all).reverse())
      })
    )

    it.effect("streams without skips or repeats while clicks arrive", () =>
      Effect.gen(function* () {
        const source = "moment"
        const batch = clicks(3000, { source })
        yield* insert(batch)
        let arrivals = 0
        const found = yield* ClickStore.use((store) =>
          store.stream({ source }).pipe(
            Stream.rechunk(500),
            Stream.tap(() =>
              arrivals++ % 500 === 0
                ? insert([click({ source, occurred_at: new Date(noon - 1) })])
                : Effect.void
            ),
            Stream.runCollect
          )
        )
        const known = new Set(ids(batch))
        const shown = snapshot ? found : found.filter(({ id }) => known.has(id))
        assert.deepStrictEqual(ids(shown), ids(batch).reverse())
      })
    )

    it.effect("stays usable after streams are abandoned, one by one and at once", () =>
      Effect.gen(function* () {
        const source = "early"
        yield* insert(clicks(3000, { source, url_path: "/".repeat(500) }))
        const first = ClickStore.use((store) =>
          store.stream({ source }).pipe(Stream.take(1), Stream.runCollect)
        )
        for (let round = 0; round < 15; round++) assert.lengthOf(yield* first, 1)
        const together = yield* Effect.all(
          Array.from({ length: 15 }, () => first),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(together.flat(), 15)
        assert.strictEqual((yield* list({ filter: { source }, limit: 1, offset: 0 })).total, 3000)
      })
    )
  })
