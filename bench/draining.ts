import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { drainSpool } from "./load/drainSpool.ts"
import { recordingTurn } from "./load/recordingTurn.ts"
import { query } from "./processes/PostgresServer.ts"
import { ServerProcess } from "./processes/ServerProcess.ts"
import { atLeast, printTable, ratios, showSpread, spreadOf } from "./report.ts"

const recordingRate = async (run: Run): Promise<number> => {
  const server = await ServerProcess.clicks(await run.postgres.createMigrated("bench_drain"))
  const { rate } = await recordingTurn(run, server, 64)
  await server.stop()
  return rate
}

const drainingRate = async ({ postgres, quick }: Run): Promise<number> => {
  const clicks = quick ? 50_000 : 300_000
  const url = await postgres.createMigrated("bench_drain")
  await postgres.settle()
  const { rate } = await drainSpool(url, clicks)
  const [found] = await query<{ readonly rows: number }>(url, "select count(*)::int as rows from clicks")
  if (found?.rows !== clicks) throw new Error(`${found?.rows} clicks of ${clicks} arrived`)
  return rate
}

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const recording: Array<number> = []
  const draining: Array<number> = []
  for (let round = 0; round < (run.rounds ?? 3); round++) {
    recording.push(await recordingRate(run))
    draining.push(await drainingRate(run))
  }
  const ratio = ratios(draining, recording)
  printTable(
    ["", "clicks/s", "against recording"],
    [
      ["drain of the spool", showSpread(spreadOf(draining)), showSpread(ratio, " ×")],
      ["recording, 64 connections", showSpread(spreadOf(recording)), ""]
    ]
  )
  return [atLeast("drain of the spool, against recording", ratio, 1.5)]
}

/** How fast the clicks of an outage are stored. */
export const draining: Benchmark = {
  compares:
    "clicks/s that `clicks serve` moves from a spool with 300,000 clicks into the database, against the highest recording rate at 64 connections",
  takes: "3 minutes",
  run
}
