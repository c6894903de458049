import { ClickArchive } from "@clicks/core/clicks/tiers/ClickArchive"
import { bucketWidths } from "@clicks/core/clicks/tiers/Cut"
import { moveBatch } from "@clicks/core/clicks/tiers/moveBatch"
import * as ClickArchiveMemory from "@clicks/core/testing/ClickArchiveMemory"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { hotLayer } from "../../../sql-adapter/test/clicks/archive/hotStore.ts"
import { click, insert } from "../../../sql-adapter/test/clicks/someClicks.ts"
import { verify } from "../../src/clicks/archive/verify.ts"
import { layerFrom } from "../../src/settings/Settings.ts"

const tiers = Layer.mergeAll(hotLayer, ClickArchiveMemory.layer, layerFrom({}))

const day = (text: string) => ({ occurred_at: new Date(`${text}T12:00:00Z`) })

layer(tiers, { excludeTestServices: true })("clicks archive verify", (it) => {
  it.effect("finds batches that differ from their records, and days whose actions do not add up", () =>
    Effect.gen(function* () {
      const archive = yield* ClickArchive
      yield* insert(click(day("2026-01-01")), click(day("2026-01-02")))
      assert.strictEqual(yield* moveBatch, 2)
      yield* insert(click({ ...day("2026-01-02"), action: "compare" }))
      assert.strictEqual(yield* moveBatch, 1)
      yield* insert(click(day("2026-01-03")))
      assert.deepStrictEqual(yield* verify, { batches: 2, days: 2, clicks: 4, differences: [] })

      const broken: typeof archive.count = (cut, filter, width) =>
        width === bucketWidths[0] && filter.action === "view"
          ? Effect.succeed([{ start: Date.UTC(2026, 0, 1), count: 1 }])
          : archive.count(cut, filter, width)
      const { differences } = yield* Effect.provideService(verify, ClickArchive, {
        ...archive,
        count: broken
      })
      assert.deepStrictEqual(differences, ["Archive, 2026-01-02: 2 clicks, 1 by action"])

      yield* archive.forget([1])
      yield* archive.write(2, Stream.make(click()))
      assert.deepStrictEqual((yield* verify).differences, [
        "Batch 2 has 2 clicks instead of 1",
        "Batch 1 has 0 clicks instead of 2"
      ])
    })
  )
})
