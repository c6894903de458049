import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { recordingTurn } from "./load/recordingTurn.ts"
import { ServerProcess } from "./processes/ServerProcess.ts"
import { atLeast, printTable, ratios, showSpread, spreadOf } from "./report.ts"
import { createPlainTable } from "./tables/plainTable.ts"

const connections = [1, 64, 512]

const names = ["clicks", "express + pg", "fastify + pg", "node:http"] as const
type Name = (typeof names)[number]

const startAll = async ({ postgres }: Run): Promise<Record<Name, ServerProcess>> => {
  const ours = await postgres.createMigrated("bench_recording")
  const theirs = await postgres.create("bench_recording_plain")
  await createPlainTable(theirs)
  return {
    clicks: await ServerProcess.clicks(ours),
    "express + pg": await ServerProcess.peer("expressPg", theirs),
    "fastify + pg": await ServerProcess.peer("fastifyPg", theirs),
    "node:http": await ServerProcess.peer("plainHttp", theirs)
  }
}

const show = (count: number, rates: Readonly<Record<Name, ReadonlyArray<number>>>): void =>
  printTable(
    [`${count} connections`, "requests/s", "clicks against it"],
    names.map((name) => [
      name,
      showSpread(spreadOf(rates[name])),
      name === "clicks" ? "" : showSpread(ratios(rates.clicks, rates[name]), " ×")
    ])
  )

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const servers = await startAll(run)
  for (const name of names) servers[name].suspend()
  const bars: Array<Bar> = []
  for (const count of connections) {
    const rates: Record<Name, Array<number>> = {
      clicks: [],
      "express + pg": [],
      "fastify + pg": [],
      "node:http": []
    }
    for (let round = 0; round < (run.rounds ?? 5); round++) {
      for (const name of names) rates[name].push(await recordingTurn(run, servers[name], count))
    }
    show(count, rates)
    if (count !== 64) continue
    bars.push(
      atLeast(
        "recording, 64 connections, against Express + pg",
        ratios(rates.clicks, rates["express + pg"]),
        4
      ),
      atLeast(
        "recording, 64 connections, against plain node:http",
        ratios(rates.clicks, rates["node:http"]),
        0.6
      )
    )
  }
  for (const name of names) await servers[name].stop()
  return bars
}

/** How many clicks a second are recorded, each committed before it is answered. */
export const recording: Benchmark = {
  compares:
    "requests/s of POST /api/events/product-click at 1, 64 and 512 connections, against Express + pg, Fastify + pg (one insert a request) and node:http that stores nothing",
  takes: "9 minutes",
  run
}
