import { mkdirSync, mkdtempSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { ClickHouseClient } from "@clickhouse/client"
import { Effect, Layer, ManagedRuntime, Stream } from "effect"
import { archiveStatus } from "../packages/clickhouse-adapter/src/ArchiveStatus.ts"
import * as ArchiveAnalyticsClickHouse from "../packages/clickhouse-adapter/src/analytics/ArchiveAnalyticsClickHouse.ts"
import { ClickHouse, make } from "../packages/clickhouse-adapter/src/ClickHouse.ts"
import * as ClickArchiveClickHouse from "../packages/clickhouse-adapter/src/clicks/ClickArchiveClickHouse.ts"
import { ArchiveAnalytics } from "../packages/core/src/analytics/tiers/ArchiveAnalytics.ts"
import { ClickStore } from "../packages/core/src/clicks/ClickStore.ts"
import * as ClickStoreMemory from "../packages/core/src/clicks/ClickStoreMemory.ts"
import { ClickArchive } from "../packages/core/src/clicks/tiers/ClickArchive.ts"
import * as ClickStoreTiered from "../packages/core/src/clicks/tiers/ClickStoreTiered.ts"
import type { Cut } from "../packages/core/src/clicks/tiers/Cut.ts"
import { HotClicks } from "../packages/core/src/clicks/tiers/HotClicks.ts"
import { defaultLimit } from "../packages/core/src/values/Parameter.ts"
import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { openChdb } from "./processes/chdb.ts"
import { atMost, digits, percentile, printTable, spreadOf } from "./report.ts"
import { countCases, pageCases } from "./tables/archiveCases.ts"
import { fillArchive } from "./tables/fillArchive.ts"

// All attempts are read, and no click is hot.
const cut: Cut = {
  mark: 2 ** 31,
  abandoned: [],
  expired: null,
  expiredIds: null,
  removedUntil: new Date(),
  arrivals: ""
}
const nothingHot = Layer.succeed(HotClicks, {
  cut: Effect.succeed(cut),
  count: () => Effect.succeed([]),
  read: () => Stream.empty
})

const layerOf = (client: ClickHouseClient, rows: number) => {
  const clickHouse = Layer.effect(ClickHouse, make(client, { database: `bench_${rows}` }))
  const archive = Layer.merge(ClickArchiveClickHouse.layer, ArchiveAnalyticsClickHouse.layer)
  const tiers = Layer.mergeAll(ClickStoreMemory.layer, nothingHot, archive)
  return Layer.merge(ClickStoreTiered.layer, archive).pipe(
    Layer.provide(tiers),
    Layer.provideMerge(clickHouse)
  )
}

/** The median of repeated calls, in milliseconds. */
const p50 = async (call: () => Promise<unknown>, times: number): Promise<number> => {
  await call()
  const measured: Array<number> = []
  while (measured.length < times) {
    const begin = performance.now()
    await call()
    measured.push(performance.now() - begin)
  }
  return percentile(measured, 0.5)
}

interface Figure {
  readonly name: string
  readonly group: string
  readonly bar: number | undefined
  readonly millis: number
}

const measureSize = async (client: ClickHouseClient, rows: number, quick: boolean) => {
  const runtime = ManagedRuntime.make(layerOf(client, rows))
  await runtime.runPromise(fillArchive(rows))
  const times = quick ? 1 : 7
  const figures: Array<Figure> = []
  for (const { bar, filter, group, name, offset } of pageCases) {
    const list = () =>
      runtime.runPromise(ClickStore.use((store) => store.list({ filter, offset, limit: defaultLimit })))
    if ((await list()).total > offset) figures.push({ name, group, bar, millis: await p50(list, times) })
  }
  for (const { bar, count, name } of countCases) {
    const ask = () => runtime.runPromise(ArchiveAnalytics.use(({ over }) => count(over(cut, []))))
    figures.push({ name, group: name, bar, millis: await p50(ask, times) })
  }
  const { bytes } = await runtime.runPromise(archiveStatus)
  await runtime.dispose()
  return { rows, figures, bytesPerClick: bytes / rows }
}

const moved = 500_000

/** Clicks per second that one attempt writes and checks. The clicks of a table are read into memory first. */
const measureWriting = async (client: ClickHouseClient, rows: number): Promise<number> => {
  const count = Math.min(moved, rows)
  const from = ManagedRuntime.make(layerOf(client, rows))
  const to = ManagedRuntime.make(layerOf(client, 0))
  const clicks = await from.runPromise(
    ClickArchive.use((archive) => Stream.runCollect(archive.read(cut, {}, { limit: count })))
  )
  const begin = performance.now()
  const [sent, found] = await to.runPromise(
    ClickArchive.use((archive) =>
      Effect.all([archive.write(1, Stream.fromIterable(clicks)), archive.check(1)])
    )
  )
  const seconds = (performance.now() - begin) / 1000
  if (sent.count !== count || sent.checksum !== found.checksum) throw new Error("The attempt is incomplete")
  await to.runPromise(ClickArchive.use((archive) => archive.forget([1])))
  await from.dispose()
  await to.dispose()
  return count / seconds
}

type Measured = Awaited<ReturnType<typeof measureSize>>

const once = (value: number) => spreadOf([value])

const barsOf = ({ bytesPerClick, figures, rows }: Measured): ReadonlyArray<Bar> => {
  const groups = Map.groupBy(figures, ({ group }) => group)
  const at = `at ${rows.toLocaleString("en-US")} clicks`
  const times = Array.from(groups).flatMap(([group, members]) => {
    const [worst] = members.toSorted((a, b) => b.millis - a.millis)
    if (worst?.bar === undefined) return []
    const slowest = members.length > 1 ? `; slowest: ${worst.name}` : ""
    return [atMost(`archive ${at}, ${group}, p50${slowest}`, once(worst.millis), worst.bar, " ms")]
  })
  return [...times, atMost(`archive ${at}, disk per click`, once(bytesPerClick), 60, " bytes")]
}

const growthOf = (small: Measured | undefined, large: Measured): ReadonlyArray<Bar> => {
  if (small === undefined || small === large) return []
  const before = new Map(small.figures.map(({ millis, name }) => [name, millis]))
  const growths = large.figures
    .filter(({ group }) => group === "no or a single filter")
    .map(({ millis, name }) => ({ name, growth: millis / (before.get(name) ?? Number.NaN) }))
    .toSorted((a, b) => b.growth - a.growth)
  const [worst] = growths
  const what = `archive, p50 at ${large.rows.toLocaleString("en-US")} clicks against ${small.rows.toLocaleString("en-US")}`
  return worst === undefined ? [] : [atMost(`${what}; steepest: ${worst.name}`, once(worst.growth), 2, " ×")]
}

const show = (measured: ReadonlyArray<Measured>): void =>
  printTable(
    ["p50, ms", ...measured.map(({ rows }) => `${rows.toLocaleString("en-US")} clicks`)],
    (measured.at(-1)?.figures ?? []).map(({ name }) => [
      name,
      ...measured.map(({ figures }) => {
        const figure = figures.find((other) => other.name === name)
        return figure === undefined ? "" : digits(figure.millis)
      })
    ])
  )

const run = async ({ quick, rows }: Run): Promise<ReadonlyArray<Bar>> => {
  const kept = process.env["BENCH_DIR"]
  const folder = kept === undefined ? mkdtempSync(join(tmpdir(), "bench-archive-")) : join(kept, "archive")
  mkdirSync(folder, { recursive: true })
  const client = openChdb(folder)
  try {
    const measured: Array<Measured> = []
    for (const size of rows) measured.push(await measureSize(client, size, quick))
    show(measured)
    const [largest] = measured.slice(-1)
    if (largest === undefined) return []
    console.log(`\nWritten and checked: ${digits(await measureWriting(client, largest.rows))} clicks/s`)
    const million = measured.find((each) => each.rows === 1_000_000)
    return [...barsOf(largest), ...growthOf(million, largest)]
  } finally {
    await client.close()
    if (kept === undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** How long pages, totals and analytics of the archive take, and how much it writes. */
export const archive: Benchmark = {
  compares:
    "p50 of ClickStore.list (a page of 100 and the total) and of analytics on clicks that are all in ClickHouse (chdb, in this process), clicks/s written and checked, and bytes per click",
  takes: "A minute for 1,000,000 clicks, 5 for 10,000,000, 30 for 100,000,000 (5 GB of disk)",
  run
}
