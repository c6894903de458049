import { join } from "node:path"
import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { closedLoop } from "./load/closedLoop.ts"
import { drainSpool } from "./load/drainSpool.ts"
import { runClicks } from "./processes/command.ts"
import { watchMemory } from "./processes/processMemory.ts"
import { ServerProcess } from "./processes/ServerProcess.ts"
import { atMost, spreadOf } from "./report.ts"
import { withCsvFile } from "./tables/csvFile.ts"

const importAndExport = ({ postgres, ...run }: Run) =>
  withCsvFile({ postgres, ...run }, async ({ file, folder, url }) => {
    const empty = await postgres.createMigrated("bench_memory")
    const imported = await runClicks(empty, ["import", file, "--json"])
    const exported = await runClicks(url, ["export", "--out", join(folder, "out.ndjson")])
    return { import: imported.memory, export: exported.memory }
  })

const drain = async ({ postgres, quick }: Run): Promise<number> => {
  const { memory } = await drainSpool(await postgres.createMigrated("bench_memory"), quick ? 50_000 : 300_000)
  return memory
}

const overload = async ({ postgres, quick }: Run): Promise<number> => {
  const server = await ServerProcess.clicks(await postgres.createMigrated("bench_memory"))
  const memory = watchMemory(server.process.pid)
  await closedLoop(server.port, 512, quick ? 5 : 60)
  const highest = memory()
  await server.stop()
  return highest
}

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const found = {
    import: [] as number[],
    export: [] as number[],
    drain: [] as number[],
    overload: [] as number[]
  }
  for (let round = 0; round < (run.rounds ?? 1); round++) {
    const files = await importAndExport(run)
    found.import.push(files.import)
    found.export.push(files.export)
    found.drain.push(await drain(run))
    found.overload.push(await overload(run))
  }
  return [
    atMost("memory of import", spreadOf(found.import), 300, " MB"),
    atMost("memory of export", spreadOf(found.export), 300, " MB"),
    atMost("memory of the drain of the spool", spreadOf(found.drain), 300, " MB"),
    atMost("memory in overload, 512 connections", spreadOf(found.overload), 300, " MB")
  ]
}

/** How much memory it takes at most. */
export const memory: Benchmark = {
  compares:
    "highest resident memory of import and export of a million rows, of the drain of a spool with 300,000 clicks, and of a minute with 512 connections that send as fast as they can; Linux only",
  takes: "4 minutes",
  run
}
