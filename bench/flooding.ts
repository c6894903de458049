import { setTimeout as sleep } from "node:timers/promises"
import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { type BatchRequest, nestedBatch, packedBatch, smallBatch } from "./load/batchRequests.ts"
import { untilDrained } from "./load/drainSpool.ts"
import { type FloodResult, floodOf } from "./load/floodOf.ts"
import { openLoop } from "./load/openLoop.ts"
import { query } from "./processes/PostgresServer.ts"
import { watchMemory } from "./processes/processMemory.ts"
import { ServerProcess } from "./processes/ServerProcess.ts"
import { atMost, digits, percentile, printTable, spreadOf } from "./report.ts"

interface Flood {
  readonly name: string
  readonly request: BatchRequest
  readonly connections: number
  /** 0: each connection sends one request. */
  readonly seconds: number
}

const floods: ReadonlyArray<Flood> = [
  { name: "25 batches of 1,000 at once", request: smallBatch, connections: 25, seconds: 0 },
  { name: "60 connections of gzipped batches", request: packedBatch, connections: 60, seconds: 60 },
  { name: "60 nested bombs", request: nestedBatch, connections: 60, seconds: 0 }
]

const warmUp = 2
const bystanders = { connections: 10, rate: 50 }

interface Outcome extends FloodResult {
  readonly latencies: ReadonlyArray<number>
  /** Clicks of bystanders that were not stored at once. */
  readonly unstored: number
  readonly memory: number
}

/** Fails unless every acknowledged click is in the database once. */
const assertKept = async (databaseUrl: string, acknowledged: number): Promise<void> => {
  const [row] = await query<{ readonly rows: number }>(
    databaseUrl,
    "select count(*)::int as rows from clicks"
  )
  if (row?.rows !== acknowledged)
    throw new Error(`${acknowledged} acknowledged, ${row?.rows} in the database`)
}

const flooded = async (
  { postgres, quick }: Run,
  { connections, request, seconds }: Flood
): Promise<Outcome> => {
  const databaseUrl = await postgres.createMigrated("bench_floods")
  const server = await ServerProcess.clicks(databaseUrl)
  const memory = watchMemory(server.process.pid)
  const lasting = Math.min(seconds, quick ? 5 : seconds)
  const [beside, flood] = await Promise.all([
    openLoop(server.port, bystanders.connections, bystanders.rate, warmUp, lasting + (quick ? 3 : 10)),
    sleep(warmUp * 1000).then(() => floodOf(server.url, request, connections, lasting))
  ])
  await untilDrained(server)
  const highest = memory()
  await server.stop()
  const { dropped = 0, stored = 0, ...others } = beside.receipts
  const spooled = Object.values(others).reduce((sum, count) => sum + count, 0)
  await assertKept(databaseUrl, flood.stored + flood.spooled + stored + spooled)
  return {
    ...flood,
    dropped: flood.dropped + dropped,
    latencies: beside.latencies,
    unstored: spooled + dropped,
    memory: highest
  }
}

const show = (name: string, { dropped, latencies, memory, requests, spooled, stored, unstored }: Outcome) => [
  name,
  ...[requests, stored, spooled, dropped, unstored].map((count) => count.toLocaleString("en-US")),
  ...[percentile(latencies, 0.5), percentile(latencies, 0.99), percentile(latencies, 1), memory].map(digits)
]

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const bars: Array<Bar> = []
  const rows: Array<ReadonlyArray<string>> = []
  for (const flood of floods) {
    const outcomes: Array<Outcome> = []
    for (let round = 0; round < (run.rounds ?? 1); round++) outcomes.push(await flooded(run, flood))
    rows.push(...outcomes.map((outcome) => show(flood.name, outcome)))
    const figures = (of: (outcome: Outcome) => number) => spreadOf(outcomes.map(of))
    bars.push(
      atMost(
        `${flood.name}: dropped`,
        figures(({ dropped }) => dropped),
        0,
        ""
      ),
      atMost(
        `${flood.name}: p99 of bystanders`,
        figures(({ latencies }) => percentile(latencies, 0.99)),
        250,
        " ms"
      ),
      atMost(
        `${flood.name}: memory`,
        figures(({ memory }) => memory),
        500,
        " MB"
      )
    )
  }
  printTable(
    [
      "flood",
      "requests",
      "stored",
      "spooled",
      "dropped",
      "bystanders not stored",
      "p50, ms",
      "p99, ms",
      "longest, ms",
      "memory, MB"
    ],
    rows
  )
  return bars
}

/** How clients that send far too much affect others. */
export const flooding: Benchmark = {
  compares:
    "ten bystanders that send 50 clicks/s beside 25 batches of 1,000 at once, 60 connections that send gzipped batches for a minute, and 60 gzipped batches whose values are nested 9,100 deep: clicks dropped, p99 of the bystanders, memory (Linux only)",
  takes: "2 minutes",
  run
}
