import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import type { Cut } from "@clicks/core/clicks/tiers/Cut"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { plainClick } from "../../../core/test/contract/clicks/plainClick.ts"
import * as ClickArchiveClickHouse from "../../src/clicks/ClickArchiveClickHouse.ts"
import { clickHouse, withClickHouse } from "../chdb.ts"

const cut: Cut = { mark: 1, abandoned: [], expired: null, expiredIds: null, removedUntil: null, arrivals: "" }
const hour = 3_600_000
const archive = Layer.fresh(Layer.provide(ClickArchiveClickHouse.layer, clickHouse))

withClickHouse(() => {
  layer(archive, { timeout: "60 seconds", excludeTestServices: true })("readClicks", (it) => {
    it.effect("reads the clicks of the given hours", () =>
      Effect.gen(function* () {
        const { read, write } = yield* ClickArchive
        const starts = [
          "0001-01-01T00:00Z",
          "1969-12-31T23:00Z",
          "2026-11-20T12:00Z",
          "9999-12-31T23:00Z"
        ].map((text) => Date.parse(text))
        const clicks = starts.flatMap((start) =>
          [start, start + hour - 1].map((at) => plainClick({ occurred_at: new Date(at) }))
        )
        yield* write(1, Stream.fromIterable(clicks))
        for (const [index, start] of starts.entries())
          assert.deepStrictEqual(
            Array.from(yield* Stream.runCollect(read(cut, {}, { hours: [start], limit: 5 }))),
            clicks.slice(2 * index, 2 * index + 2).toReversed()
          )
      })
    )
  })
})
