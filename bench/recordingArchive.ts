import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { type RecordingTurn, recordingTurn } from "./load/recordingTurn.ts"
import { ServerProcess, temporaryFolder } from "./processes/ServerProcess.ts"
import { atLeast, printTable, ratios, showSpread, spreadOf } from "./report.ts"
import { createArchived } from "./tables/archivedDatabase.ts"
import { createPlainTable } from "./tables/plainTable.ts"

const names = ["with an archive", "without", "express + pg"] as const
type Name = (typeof names)[number]

const startAll = async ({ postgres }: Run): Promise<Record<Name, ServerProcess>> => {
  const tiered = await createArchived(postgres, "bench_archive_on")
  const theirs = await postgres.create("bench_archive_plain")
  await createPlainTable(theirs)
  // The port is closed. `clicks serve` only reads from the archive; movers work elsewhere.
  const settings = { CLICKHOUSE_URL: "http://127.0.0.1:1" }
  return {
    "with an archive": await ServerProcess.clicks(tiered, temporaryFolder(), settings),
    without: await ServerProcess.clicks(await postgres.createMigrated("bench_archive_off")),
    "express + pg": await ServerProcess.peer("expressPg", theirs)
  }
}

const of = (turns: ReadonlyArray<RecordingTurn>, value: keyof RecordingTurn) =>
  turns.map((turn) => turn[value])

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const servers = await startAll(run)
  for (const name of names) servers[name].suspend()
  const turns: Record<Name, Array<RecordingTurn>> = { "with an archive": [], without: [], "express + pg": [] }
  for (let round = 0; round < (run.rounds ?? 5); round++)
    for (const name of names) turns[name].push(await recordingTurn(run, servers[name], 64))
  for (const name of names) await servers[name].stop()
  const rates = of(turns["with an archive"], "rate")
  const against = (name: Name) => ratios(rates, of(turns[name], "rate"))
  printTable(
    ["64 connections", "requests/s", "the archive's against it", "processor µs, service", "PostgreSQL"],
    names.map((name) => [
      name,
      showSpread(spreadOf(of(turns[name], "rate"))),
      name === "with an archive" ? "" : showSpread(against(name), " ×"),
      showSpread(spreadOf(of(turns[name], "serviceMicros"))),
      showSpread(spreadOf(of(turns[name], "postgresMicros")))
    ])
  )
  return [
    atLeast("recording with an archive, against without", against("without"), 1.4),
    atLeast("recording with an archive, against Express + pg", against("express + pg"), 4)
  ]
}

/** How much faster recording is if the table needs no indexes and counts for old clicks. */
export const recordingArchive: Benchmark = {
  compares:
    "recording with 64 connections into a database whose history is in an archive, against one without an archive and Express + pg. Nothing is moved meanwhile: movers and ClickHouse work on other machines",
  takes: "4 minutes",
  run
}
