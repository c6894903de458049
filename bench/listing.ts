import { Layer, ManagedRuntime, Redacted } from "effect"
import { Client } from "pg"
import type { ClickPage, ClickQuery } from "../packages/core/src/clicks/ClickQuery.ts"
import { ClickStore } from "../packages/core/src/clicks/ClickStore.ts"
import { defaultLimit } from "../packages/core/src/values/Parameter.ts"
import * as ClickStoreSql from "../packages/sql-adapter/src/clicks/ClickStoreSql.ts"
import * as Database from "../packages/sql-adapter/src/Database.ts"
import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { atMost, digits, percentile, printTable, type Spread, showSpread, spreadOf } from "./report.ts"
import { filledDatabaseWithPlainTable } from "./tables/filledDatabase.ts"
import { type ListingCase, listingCases } from "./tables/listingCases.ts"
import { listPlain } from "./tables/plainListing.ts"

type List = (query: ClickQuery) => Promise<number>

/** The median of repeated calls, in milliseconds: up to 30, for about a second. */
const p50 = async (list: List, query: ClickQuery): Promise<number> => {
  const times: Array<number> = []
  const end = performance.now() + 1000
  while (times.length === 0 || (times.length < 30 && performance.now() < end)) {
    const begin = performance.now()
    await list(query)
    times.push(performance.now() - begin)
  }
  return percentile(times, 0.5)
}

interface Measured {
  readonly ours: Spread
  readonly theirs: Spread
}

const measureCase = async (
  { filter, offset }: ListingCase,
  rounds: number,
  ours: List,
  theirs: List
): Promise<Measured | undefined> => {
  const first = { filter, limit: defaultLimit, offset: 0 }
  const total = await ours(first)
  if ((await theirs(first)) !== total) throw new Error(`Totals differ: ${JSON.stringify(filter)}`)
  const start = offset === "last" ? total - defaultLimit : offset
  if (start !== 0 && start >= total) return undefined
  const query = { ...first, offset: start }
  await ours(query)
  await theirs(query)
  const times = { ours: [] as number[], theirs: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    times.ours.push(await p50(ours, query))
    times.theirs.push(await p50(theirs, query))
  }
  return { ours: spreadOf(times.ours), theirs: spreadOf(times.theirs) }
}

const measureSize = async (run: Run, rows: number): Promise<ReadonlyMap<ListingCase, Measured>> => {
  const url = await filledDatabaseWithPlainTable(run.postgres, rows)
  await run.postgres.settle()
  const database = Database.layer({ url: Redacted.make(url) })
  const runtime = ManagedRuntime.make(ClickStoreSql.layer.pipe(Layer.provide(database)))
  const client = new Client({ connectionString: url })
  await client.connect()
  const ours: List = (query) =>
    runtime.runPromise(ClickStore.use((store) => store.list(query))).then(({ total }: ClickPage) => total)
  const theirs: List = (query) => listPlain(client, query)
  const measured = new Map<ListingCase, Measured>()
  for (const each of listingCases) {
    const result = await measureCase(each, run.rounds ?? 3, ours, theirs)
    if (result !== undefined) measured.set(each, result)
  }
  await runtime.dispose()
  await client.end()
  return measured
}

const show = (rows: number, measured: ReadonlyMap<ListingCase, Measured>): void =>
  printTable(
    [
      `${rows.toLocaleString("en-US")} rows, p50`,
      "clicks, ms",
      "count(*) + LIMIT/OFFSET, ms",
      "times as fast"
    ],
    [...measured].map(([{ name }, { ours, theirs }]) => [
      name,
      showSpread(ours),
      showSpread(theirs),
      `${digits(theirs.median / ours.median)} ×`
    ])
  )

/** The slowest listing of each group is compared with its target. */
const slowest = (
  measured: ReadonlyMap<ListingCase, Measured>,
  isOf: (each: ListingCase) => boolean,
  value: (each: ListingCase, figures: Measured) => Spread
) =>
  [...measured]
    .filter(([each]) => isOf(each))
    .map(([each, figures]) => ({ name: each.name, value: value(each, figures) }))
    .toSorted((a, b) => b.value.median - a.value.median)
    .at(0)

const scaled = (spread: Spread, factor: number): Spread => ({
  min: spread.min * factor,
  median: spread.median * factor,
  max: spread.max * factor
})

type Sizes = ReadonlyMap<number, ReadonlyMap<ListingCase, Measured>>

const barsOf = (sizes: Sizes): ReadonlyArray<Bar> => {
  const largest = Math.max(...sizes.keys())
  const measured = sizes.get(largest) ?? new Map<ListingCase, Measured>()
  const at = `at ${largest.toLocaleString("en-US")} rows`
  const groups = [
    ["listing, no or a single filter, p50", (each: ListingCase) => each.bar === 10, 10],
    ["listing, two filters, p50", (each: ListingCase) => each.bar === 50, 50],
    ["listing, offset 1,000,000, p50", (each: ListingCase) => each.bar === 20, 20]
  ] as const
  const times = groups.flatMap(([what, isOf, bar]) => {
    const worst = slowest(measured, isOf, (_, { ours }) => ours)
    return worst === undefined
      ? []
      : [atMost(`${what} ${at}; slowest: ${worst.name}`, worst.value, bar, " ms")]
  })
  const million = sizes.get(1_000_000)
  if (million === undefined || largest === 1_000_000) return times
  const growth = slowest(
    measured,
    (each) => each.isSteady,
    (each, { ours }) => scaled(ours, 1 / (million.get(each)?.ours.median ?? Number.NaN))
  )
  if (growth === undefined) return times
  return [
    ...times,
    atMost(`listing, p50 ${at} against 1,000,000; steepest: ${growth.name}`, growth.value, 1.5, " ×")
  ]
}

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const sizes = new Map<number, ReadonlyMap<ListingCase, Measured>>()
  for (const rows of run.rows) {
    const measured = await measureSize(run, rows)
    show(rows, measured)
    sizes.set(rows, measured)
  }
  return barsOf(sizes)
}

/** How long a page and its exact total take. */
export const listing: Benchmark = {
  compares:
    "p50 of ClickStore.list (a page of 100 and the total, without HTTP), against count(*) + LIMIT/OFFSET on a table with five plain indexes and the same rows",
  takes: "7 minutes for 100,000 and 1,000,000 rows; 40 more for 10,000,000",
  run
}
