import { ClickStore, ClickStoreError } from "@clicks/core/clicks/ClickStore"
import * as ClickStoreMemory from "@clicks/core/clicks/ClickStoreMemory"
import { Quarantine } from "@clicks/core/clicks/recording/Quarantine"
import * as QuarantineMemory from "@clicks/core/clicks/recording/QuarantineMemory"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Layer, Result, Stream } from "effect"
import type { InputRow } from "../../../src/clicks/importing/InputRow.ts"
import { ndjsonFormat } from "../../../src/clicks/importing/JsonRows.ts"
import { rowJudge } from "../../../src/clicks/importing/judgeRow.ts"
import { parseMapping } from "../../../src/clicks/importing/RowMapping.ts"
import { storeRows } from "../../../src/clicks/importing/storeRows.ts"

const options = { dryRun: false, within: Duration.seconds(30) }
const judgement = {
  format: ndjsonFormat,
  mapping: Result.getOrThrow(parseMapping(["store_id=shop", "brand_id=nothing"], [])),
  namespace: "",
  now: new Date("2026-11-20T10:00:00Z")
}

const row = (line: number, product_id: string): InputRow => {
  const columns = { product_id, action: "view", source: "web", shop: "s-1" }
  return { line, original: Buffer.from(JSON.stringify(columns)), isCutOff: false }
}

// A store that rejects one product, as a database rejects a row.
const picky = Layer.effect(
  ClickStore,
  Effect.map(ClickStore, (store) =>
    ClickStore.of({
      ...store,
      insert: (batch) =>
        batch.some((event) => event.product_id === "bad")
          ? Effect.fail(new ClickStoreError({ operation: "insert", reason: "Refused", cause: "bad" }))
          : store.insert(batch)
    })
  )
).pipe(Layer.provide(ClickStoreMemory.layer))

describe("storing rows", () => {
  it.effect("reports a row that the store rejects, keeps its original and stores the rows around it", () =>
    Effect.gen(function* () {
      const { judge, unfilled } = rowJudge(judgement)
      const batches = Stream.make(
        [row(2, "p-1"), row(3, "bad"), row(4, "p-2")],
        [row(5, "p-3"), row(6, "p-3")]
      ).pipe(Stream.map((rows) => rows.map(judge)))
      const outcomes = yield* Stream.runCollect(storeRows(batches, options))
      assert.deepStrictEqual(
        outcomes.map(({ counts, lastLine }) => [counts.read, counts.imported, counts.rejected, lastLine]),
        [
          [3, 2, 1, 4],
          [2, 2, 0, 6]
        ]
      )
      assert.deepStrictEqual(
        outcomes.flatMap(({ rejections }) => rejections.map((each) => [each.row.line, each.reason])),
        [[3, "was rejected by the database"]]
      )
      assert.deepStrictEqual(unfilled(), ["brand_id"])
      const kept = yield* Quarantine.use((quarantine) => quarantine.list(10))
      assert.deepStrictEqual(
        kept.map(({ original, reason }) => [JSON.parse(Buffer.from(original).toString()).product_id, reason]),
        [["bad", "rejected by the database"]]
      )
    }).pipe(Effect.provide(Layer.merge(picky, QuarantineMemory.layer)))
  )
})
