import { type ClickFilter, matches } from "@clicks/core/clicks/ClickFilter"
import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import type { Cut } from "@clicks/core/clicks/tiers/Cut"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { plainClick } from "../../../core/test/contract/clicks/plainClick.ts"
import * as ClickArchiveClickHouse from "../../src/clicks/ClickArchiveClickHouse.ts"
import { clickHouse, withClickHouse } from "../chdb.ts"

const cut: Cut = { mark: 1, abandoned: [], expired: null, expiredIds: null, removedUntil: null, arrivals: "" }
const hour = 3_600_000
// Found by hours and by minutes.
const values = [
  { product_id: "rare" },
  { store_id: "rare" },
  { source: "rare" },
  { store_id: "other", brand_id: "other" }
] satisfies ReadonlyArray<ClickFilter>
const archive = Layer.fresh(Layer.provide(ClickArchiveClickHouse.layer, clickHouse))

withClickHouse(() => {
  layer(archive, { timeout: "60 seconds", excludeTestServices: true })("readClicks", (it) => {
    it.effect("finds the clicks of a page of rare values that lie years apart", () =>
      Effect.gen(function* () {
        const { read, write } = yield* ClickArchive
        const starts = ["0001-01-01T00:00Z", "1969-12-31T22:00Z", "2026-11-20T12:00Z", "9999-12-31T22:00Z"]
        const instants = starts.flatMap((start) =>
          [0, hour - 1, hour].map((later) => Date.parse(start) + later)
        )
        const clicks = values.flatMap((value) =>
          instants.map((at) => plainClick({ ...value, occurred_at: new Date(at) }))
        )
        yield* write(1, Stream.fromIterable(clicks))
        for (const value of values)
          assert.deepStrictEqual(
            Array.from(yield* Stream.runCollect(read(cut, value, { limit: 20 }))),
            clicks.filter((click) => matches(value, click)).toReversed()
          )
      })
    )
  })
})
