/**
 * A service written with Effect that records and lists clicks without HTTP and without a database server.
 *
 * To keep the clicks elsewhere, provide another `ClickStore` layer: `@clicks/sql-adapter/clicks/ClickStoreSql` or your own.
 */
import * as ClickQuery from "@clicks/core/clicks/ClickQuery"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as ClickStoreMemory from "@clicks/core/clicks/ClickStoreMemory"
import * as ClickRecorder from "@clicks/core/clicks/recording/ClickRecorder"
import * as QuarantineMemory from "@clicks/core/clicks/recording/QuarantineMemory"
import { Console, Effect, Layer } from "effect"

const origin = { userId: "u-5", ipAddress: "203.0.113.9", userAgent: "Mozilla/5.0 (iPhone)" }

const Clicks = ClickRecorder.layer.pipe(
  Layer.provideMerge(Layer.merge(ClickStoreMemory.layer, QuarantineMemory.layer))
)

export const program = Effect.gen(function* () {
  const recorder = yield* ClickRecorder.ClickRecorder
  const store = yield* ClickStore

  const receipt = yield* recorder.record({
    body: { product_id: "p-1001", action: "view", source: "kiosk", store_id: "s-17" },
    origin
  })
  yield* Console.log(`${receipt.outcome} as ${receipt.id}`)

  const refusal = yield* Effect.flip(
    recorder.record({ body: { product_id: "p-1001", action: "buy" }, origin })
  )
  yield* Console.log(`refused: ${refusal.message}`)

  const query = yield* Effect.fromResult(
    ClickQuery.parse({ store_id: "s-17", from: "2026-01-01", limit: "10" })
  )
  const page = yield* store.list(query)
  yield* Console.log(`${page.total} in all, from a ${page.events[0]?.device_type}`)
  return page
}).pipe(Effect.provide(Clicks))

if (import.meta.main) await Effect.runPromise(program)
