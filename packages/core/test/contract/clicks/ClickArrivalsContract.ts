import { ClickArrivals } from "@clicks/core/clicks/ClickArrivals"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { type ClickFilter, matches } from "@clicks/core/clicks/ClickFilter"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { assert, layer } from "@effect/vitest"
import { Arbitrary, Effect, type Layer } from "effect"
import { arbitraryBatch, arbitraryFilter } from "./arbitraryClicks.ts"

const insert = (batch: ReadonlyArray<ClickEvent>) => ClickStore.use((store) => store.insert(batch))
const now = ClickArrivals.use((arrivals) => arrivals.now)
const ids = (clicks: ReadonlyArray<ClickEvent>) => clicks.map((click) => click.id)

/** All clicks since a position, page by page. */
export const readOn = Effect.fnUntraced(function* (from: string, filter: ClickFilter, limit: number) {
  const arrivals = yield* ClickArrivals
  const clicks: Array<ClickEvent> = []
  let position = from
  while (true) {
    const found = yield* arrivals.since(position, filter, limit)
    assert.isAtMost(found.clicks.length, limit)
    clicks.push(...found.clicks)
    position = found.position
    if (found.isAll) return { clicks, position }
  }
})

/** The contract of every `ClickArrivals`, with the `ClickStore` that it observes. The tests share both. */
export const suite = <E>(name: string, arrivals: Layer.Layer<ClickArrivals | ClickStore, E>): void =>
  layer(arrivals, { timeout: "60 seconds" })(`ClickArrivals (${name})`, (it) => {
    it.effect.prop(
      "returns each click stored after a position once, in pages of any size, and none from before",
      [Arbitrary.array(arbitraryBatch, { maxLength: 4 }), arbitraryFilter],
      ([batches, filter]) =>
        Effect.gen(function* () {
          const start = yield* now
          const added = new Map<string, ClickEvent>()
          for (const batch of batches) {
            const isNew = yield* insert(batch)
            for (const click of batch)
              if (isNew.has(click.id) && !added.has(click.id)) added.set(click.id, click)
          }
          const all = Array.from(added.values())
          for (const limit of [1, 3, 1000]) {
            const { clicks, position } = yield* readOn(start, {}, limit)
            assert.lengthOf(clicks, all.length)
            assert.deepStrictEqual(new Map(clicks.map((click) => [click.id, click])), added)
            assert.deepStrictEqual((yield* readOn(position, {}, limit)).clicks, [])
          }
          const found = yield* readOn(start, filter, 7)
          const wanted = all.filter((click) => matches(filter, click))
          assert.sameMembers(ids(found.clicks), ids(wanted))
        }),
      { arbitrary: { runs: 40 } }
    )

    it.effect("keeps a position valid while more clicks are stored", () =>
      Effect.gen(function* () {
        const arrivals = yield* ClickArrivals
        const [one = [], two = []] = yield* Arbitrary.sampleEffect(
          Arbitrary.array(arbitraryBatch, { minLength: 2 }),
          {
            count: 1,
            size: 30
          }
        ).pipe(Effect.map(([batches]) => batches ?? []))
        const start = yield* arrivals.now
        const first = yield* insert(one)
        const page = yield* arrivals.since(start, {}, Math.max(1, first.size - 1))
        const second = yield* insert(two)
        const rest = yield* readOn(page.position, {}, 2)
        assert.sameMembers(ids([...page.clicks, ...rest.clicks]), [...first, ...second])
      })
    )
  })
