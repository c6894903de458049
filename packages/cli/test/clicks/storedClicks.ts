import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as ClickStoreSql from "@clicks/sql-adapter/clicks/ClickStoreSql"
import * as QuarantineSql from "@clicks/sql-adapter/clicks/QuarantineSql"
import { Effect, Layer, Schedule, Stream } from "effect"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { folderLayer } from "../clicks.ts"

/** A database with the ports on it, and a folder, for one test. */
export const stage = Layer.mergeAll(
  Layer.provideMerge(Layer.mergeAll(ClickStoreSql.layer, QuarantineSql.layer), TestDatabase.layer),
  folderLayer
)

/** All clicks that are stored, newest first. */
export const stored: Effect.Effect<ReadonlyArray<ClickEvent>, never, ClickStore> = ClickStore.use((store) =>
  Effect.orDie(Stream.runCollect(store.stream({})))
)

const total = ClickStore.use((store) => Effect.orDie(store.list({ filter: {}, limit: 1, offset: 0 }))).pipe(
  Effect.map((page) => page.total)
)

/** Waits until at least this many clicks are stored. */
export const untilStored = (count: number) =>
  total.pipe(Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (found) => found >= count }))

/** CSV rows of clicks on products p-`from` to p-`to`, without their header. */
export const csvRows = (from: number, to: number): string =>
  Array.from(
    { length: to - from + 1 },
    (_, index) => `p-${from + index},view,web,2026-11-${String(1 + (index % 28)).padStart(2, "0")}\n`
  ).join("")

export const csvHeader = "product_id,action,source,occurred_at\n"
