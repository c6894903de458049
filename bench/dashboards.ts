import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { createKey } from "./load/createKey.ts"
import { type RecordingTurn, recordingTurn } from "./load/recordingTurn.ts"
import { ServerProcess } from "./processes/ServerProcess.ts"
import { atLeast, digits, percentile, printTable, ratios, showSpread, spreadOf } from "./report.ts"

const connections = 64
const dashboards = 100

// The interval at which a dashboard reloads its figures.
const refresh = 60_000

const day = 24 * 3_600_000

/** The request of the screen Overview for the last seven days, with which the dashboard opens. */
const overviewOf = (url: string): URL => {
  const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 10)
  const address = new URL("/api/analytics/product-clicks", url)
  const [from, before] = [dateOf(Date.now() - 6 * day), dateOf(Date.now() + day)]
  const query = { from, before, tz: "Europe/Berlin", compare: "previous", interval: "day", pivot: "action" }
  address.search = new URLSearchParams({ ...query, totals: "true" }).toString()
  return address
}

/** Sends the requests of open dashboards, evenly distributed. The returned function stops it and returns the response times in milliseconds. */
const openDashboards = (url: string, key: string): (() => Promise<ReadonlyArray<number>>) => {
  const answers: Array<Promise<number>> = []
  const ask = async () => {
    const begin = performance.now()
    const answer = await fetch(overviewOf(url), { headers: { authorization: `Bearer ${key}` } })
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
    return performance.now() - begin
  }
  const timer = setInterval(() => answers.push(ask()), refresh / dashboards)
  return () => {
    clearInterval(timer)
    return Promise.all(answers)
  }
}

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const database = await run.postgres.createMigrated("bench_dashboards")
  const key = await createKey(database, "bench-dashboards")
  const server = await ServerProcess.clicks(database)
  const alone: Array<RecordingTurn> = []
  const watched: Array<RecordingTurn> = []
  const times: Array<number> = []
  for (let round = 0; round < (run.rounds ?? 5); round++) {
    alone.push(await recordingTurn(run, server, connections))
    const close = openDashboards(server.url, key)
    watched.push(await recordingTurn(run, server, connections))
    server.resume()
    times.push(...(await close()))
  }
  await server.stop()
  const rates = (turns: ReadonlyArray<RecordingTurn>) => turns.map(({ rate }) => rate)
  const figures = (turns: ReadonlyArray<RecordingTurn>) =>
    (["rate", "serviceMicros", "postgresMicros"] as const).map((name) =>
      showSpread(spreadOf(turns.map((turn) => turn[name])))
    )
  const [typical, slowest] = [percentile(times, 0.5), Math.max(...times)].map(digits)
  printTable(
    ["", "requests/s", "processor µs, service", "PostgreSQL", "Overview p50, ms", "slowest, ms"],
    [
      ["alone", ...figures(alone), "", ""],
      [`${dashboards} dashboards`, ...figures(watched), typical ?? "", slowest ?? ""]
    ]
  )
  return [atLeast(`recording with ${dashboards} dashboards open`, ratios(rates(watched), rates(alone)), 0.9)]
}

/** How much open dashboards slow down recording. */
export const dashboarding: Benchmark = {
  compares:
    "requests/s of POST /api/events/product-click at 64 connections with 100 dashboards open on Overview, which refresh every minute, against recording alone. All clicks are of today",
  takes: "2 minutes",
  run
}
