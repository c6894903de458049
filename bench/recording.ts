import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { type RecordingTurn, recordingTurn } from "./load/recordingTurn.ts"
import { ServerProcess } from "./processes/ServerProcess.ts"
import { atLeast, printTable, ratios, showSpread, spreadOf } from "./report.ts"
import { createPlainTable } from "./tables/plainTable.ts"

/** Numbers of connections, and the wanted ratio to Express + pg at each. */
const bars: ReadonlyArray<readonly [connections: number, bar: number]> = [
  [1, 1],
  [16, 1.5],
  [64, 2.5],
  [512, 2.5]
]

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

type Turns = Record<Name, ReadonlyArray<RecordingTurn>>

const of = (turns: ReadonlyArray<RecordingTurn>, value: keyof RecordingTurn) =>
  turns.map((turn) => turn[value])

const show = (count: number, turns: Turns): void =>
  printTable(
    [`${count} connections`, "requests/s", "clicks against it", "processor µs, service", "PostgreSQL"],
    names.map((name) => [
      name,
      showSpread(spreadOf(of(turns[name], "rate"))),
      name === "clicks" ? "" : showSpread(ratios(of(turns.clicks, "rate"), of(turns[name], "rate")), " ×"),
      showSpread(spreadOf(of(turns[name], "serviceMicros"))),
      showSpread(spreadOf(of(turns[name], "postgresMicros")))
    ])
  )

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const servers = await startAll(run)
  for (const name of names) servers[name].suspend()
  const results: Array<Bar> = []
  for (const [count, bar] of bars) {
    const turns: Turns = { clicks: [], "express + pg": [], "fastify + pg": [], "node:http": [] }
    for (let round = 0; round < (run.rounds ?? 5); round++) {
      for (const name of names) {
        turns[name] = [...turns[name], await recordingTurn(run, servers[name], count)]
      }
    }
    show(count, turns)
    const measured = ratios(of(turns.clicks, "rate"), of(turns["express + pg"], "rate"))
    results.push(atLeast(`recording, connections: ${count}, against Express + pg`, measured, bar))
  }
  for (const name of names) await servers[name].stop()
  return results
}

/** How many clicks are recorded per second, each committed before the response. */
export const recording: Benchmark = {
  compares:
    "requests/s of POST /api/events/product-click at 1, 16, 64 and 512 connections, and its processor time, against Express + pg, Fastify + pg (one insert per request) and node:http that stores nothing",
  takes: "12 minutes",
  run
}
