import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { openLoop } from "./load/openLoop.ts"
import { recordingTurn } from "./load/recordingTurn.ts"
import { ServerProcess } from "./processes/ServerProcess.ts"
import { atMost, percentile, printTable, showSpread, spreadOf } from "./report.ts"
import { createPlainTable } from "./tables/plainTable.ts"

const connections = 64

interface Turn {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly highest: number
}

const turn = async (run: Run, server: ServerProcess): Promise<Turn> => {
  const rate = (await recordingTurn(run, server, connections)).rate / 2
  await run.postgres.settle()
  server.resume()
  // Two seconds of warm-up, as in the other benchmarks: PostgreSQL logs a whole page at its first change after a checkpoint.
  const { latencies } = await openLoop(server.port, connections, rate, run.quick ? 1 : 2, run.quick ? 6 : 20)
  server.suspend()
  return {
    rate,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    highest: percentile(latencies, 1)
  }
}

const columns = ["rate", "p50", "p99", "highest"] as const

const row = (name: string, turns: ReadonlyArray<Turn>): ReadonlyArray<string> => [
  name,
  ...columns.map((column) => showSpread(spreadOf(turns.map((each) => each[column]))))
]

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const plain = await run.postgres.create("bench_latency_plain")
  await createPlainTable(plain)
  const ours = await ServerProcess.clicks(await run.postgres.createMigrated("bench_latency"))
  const theirs = await ServerProcess.peer("expressPg", plain)
  for (const server of [ours, theirs]) server.suspend()
  const turns = { ours: [] as Turn[], theirs: [] as Turn[] }
  for (let round = 0; round < (run.rounds ?? 5); round++) {
    turns.ours.push(await turn(run, ours))
    turns.theirs.push(await turn(run, theirs))
  }
  for (const server of [ours, theirs]) await server.stop()
  printTable(
    ["at half its highest rate", "requests/s", "p50, ms", "p99, ms", "longest, ms"],
    [row("clicks", turns.ours), row("express + pg", turns.theirs)]
  )
  const p99 = spreadOf(turns.ours.map((each) => each.p99))
  const bar = atMost("p99 of recording at half the highest rate, in each round", p99, 15, " ms")
  return [{ ...bar, isMet: p99.max <= 15 }]
}

/** How long a front end waits for the response. */
export const latency: Benchmark = {
  compares:
    "latency of recording at half the highest rate, sent at a constant rate over 64 connections and counted from the scheduled time of each request; Express + pg at half of its own highest rate",
  takes: "6 minutes",
  run
}
