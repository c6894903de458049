import { Effect, Layer, ManagedRuntime, Redacted, Result } from "effect"
import { ClickAnalytics } from "../packages/core/src/analytics/ClickAnalytics.ts"
import * as FunnelQuery from "../packages/core/src/analytics/funnel/FunnelQuery.ts"
import * as AnalyticsQuery from "../packages/core/src/analytics/groups/AnalyticsQuery.ts"
import * as Cohorts from "../packages/core/src/analytics/visitors/Cohorts.ts"
import * as ProductPairs from "../packages/core/src/analytics/visitors/ProductPairs.ts"
import * as VisitorBuckets from "../packages/core/src/analytics/visitors/VisitorBuckets.ts"
import * as ClickAnalyticsSql from "../packages/sql-adapter/src/analytics/ClickAnalyticsSql.ts"
import * as Database from "../packages/sql-adapter/src/Database.ts"
import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { atMost, digits, percentile, printTable, spreadOf } from "./report.ts"
import { filledDatabase } from "./tables/filledDatabase.ts"

type Parameters = Readonly<Record<string, string>>

// Ranges within the two years of clicks.
const ranges = {
  today: ["2026-10-30", "2026-10-31", "hour"],
  "7 days": ["2026-10-24", "2026-10-31", "day"],
  "30 days": ["2026-10-01", "2026-10-31", "day"],
  "a year": ["2025-10-31", "2026-10-31", "week"],
  "two years": ["2024-11-01", "2026-11-01", "week"]
} as const

const ranking = (group_by: string, limit = "50"): Parameters => ({
  compare: "previous",
  group_by,
  pivot: "action",
  totals: "true",
  limit
})

const trends = (group_by: string): Parameters => ({ group_by, interval: "", visitors: "false", limit: "50" })

/** The requests of the dashboard's screens. `of` is set for requests that do not count groups. */
const screens: Readonly<Record<string, ReadonlyArray<Parameters>>> = {
  Overview: [{ compare: "previous", interval: "", pivot: "action", totals: "true" }],
  Products: [ranking("product_id"), trends("product_id")],
  Funnel: [{ of: "funnel", compare: "previous", group_by: "campaign_id", totals: "true", limit: "50" }],
  Campaigns: [ranking("campaign_id"), trends("campaign_id"), ranking("source", "20")],
  Stores: [ranking("store_id"), trends("store_id"), ranking("brand_id", "20")],
  When: [{ bucket: "hour-of-week", visitors: "false" }],
  Places: [
    ranking("device_type", "10"),
    ...["visitor_state", "visitor_city", "page_type"].map((field) => ranking(field, "20"))
  ],
  Visitors: [{ of: "visitors", interval: "" }, { of: "cohorts" }, { of: "pairs", limit: "20" }]
}

const kinds = {
  groups: ({ groups }: ClickAnalytics["Service"], query: Parameters) =>
    groups(Result.getOrThrow(AnalyticsQuery.parse(query))),
  funnel: ({ funnel }: ClickAnalytics["Service"], query: Parameters) =>
    funnel(Result.getOrThrow(FunnelQuery.parse(query))),
  visitors: ({ visitors }: ClickAnalytics["Service"], query: Parameters) =>
    visitors(Result.getOrThrow(VisitorBuckets.parse(query))),
  cohorts: ({ cohorts }: ClickAnalytics["Service"], query: Parameters) =>
    cohorts(Result.getOrThrow(Cohorts.parse(query))),
  pairs: ({ pairs }: ClickAnalytics["Service"], query: Parameters) =>
    pairs(Result.getOrThrow(ProductPairs.parse(query)))
}

const ask = ({ of = "groups", ...rest }: Parameters, range: keyof typeof ranges) => {
  const [from, before, interval] = ranges[range]
  const query = { ...rest, from, before, tz: "Europe/Berlin", ...("interval" in rest && { interval }) }
  return ClickAnalytics.use((analytics) =>
    Effect.asVoid<unknown, unknown, never>(kinds[of as keyof typeof kinds](analytics, query))
  )
}

const measureSize = async (run: Run, rows: number): Promise<ReadonlyArray<Bar>> => {
  const url = await filledDatabase(run.postgres, rows)
  await run.postgres.settle()
  const database = Database.layer({ url: Redacted.make(url), statementTimeout: "5 minutes" })
  const runtime = ManagedRuntime.make(ClickAnalyticsSql.layer.pipe(Layer.provide(database)))
  const times: Array<number> = []
  const lines: Array<ReadonlyArray<string>> = []
  for (const range of Object.keys(ranges) as Array<keyof typeof ranges>)
    for (const [name, requests] of Object.entries(screens)) {
      const own: Array<number> = []
      for (let visit = 0; visit < (run.rounds ?? 5); visit++) {
        const begin = performance.now()
        const all = requests.map((parameters) => ask(parameters, range))
        await runtime.runPromise(Effect.all(all, { concurrency: "unbounded" }))
        own.push(performance.now() - begin)
      }
      times.push(...own)
      lines.push([range, name, digits(percentile(own, 0.5)), digits(Math.max(...own))])
    }
  await runtime.dispose()
  printTable([`${rows.toLocaleString("en-US")} rows`, "screen", "p50, ms", "slowest, ms"], lines)
  const p95 = spreadOf([percentile(times, 0.95)])
  return [
    atMost(`a screen, p95 at ${rows.toLocaleString("en-US")} rows`, p95, rows > 1_000_000 ? 1500 : 500, " ms")
  ]
}

/** How long the dashboard's screens take to load. */
export const analytics: Benchmark = {
  compares:
    "all analytics requests of a screen in parallel, with the previous period, for five ranges; ClickAnalytics itself, without HTTP, everything counted",
  takes: "2 minutes for 100,000 and 1,000,000 rows, once filled",
  run: async (run) => {
    const bars: Array<Bar> = []
    for (const rows of run.rows) bars.push(...(await measureSize(run, rows)))
    return bars
  }
}
