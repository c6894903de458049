import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { recordingTurn } from "./load/recordingTurn.ts"
import { ServerProcess } from "./processes/ServerProcess.ts"
import { atLeast, printTable, ratios, showSpread, spreadOf } from "./report.ts"
import { databaseName, filledDatabase } from "./tables/filledDatabase.ts"

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const rows = Math.max(...run.rows)
  await filledDatabase(run.postgres, rows)
  // A copy, so that a kept database keeps its number of rows.
  const large = await ServerProcess.clicks(
    await run.postgres.create("bench_large", { from: databaseName(rows) })
  )
  const empty = await ServerProcess.clicks(await run.postgres.createMigrated("bench_empty"))
  for (const server of [large, empty]) server.suspend()
  const rates = { large: [] as number[], empty: [] as number[] }
  for (let round = 0; round < (run.rounds ?? 5); round++) {
    rates.large.push((await recordingTurn(run, large, 64)).rate)
    rates.empty.push((await recordingTurn(run, empty, 64)).rate)
  }
  for (const server of [large, empty]) await server.stop()
  await run.postgres.drop("bench_large")
  const ratio = ratios(rates.large, rates.empty)
  const table = `a table with ${rows.toLocaleString("en-US")} rows`
  printTable(
    ["recording, 64 connections, into", "requests/s", "against the empty table"],
    [
      [table, showSpread(spreadOf(rates.large)), showSpread(ratio, " ×")],
      ["a table that was empty at the start", showSpread(spreadOf(rates.empty)), ""]
    ]
  )
  return [atLeast(`recording into ${table}, against an empty one`, ratio, 0.8)]
}

/** Whether recording slows down as the table grows. */
export const recordingLarge: Benchmark = {
  compares:
    "recording with 64 connections into the largest table of --rows, with all its indexes and counts, against an empty one",
  takes: "3 minutes with 1,000,000 rows; 15 more to fill 10,000,000",
  run
}
