import { createWriteStream } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { closedLoop } from "./load/closedLoop.ts"
import { drainSpool } from "./load/drainSpool.ts"
import { runClicks } from "./processes/command.ts"
import { watchMemory } from "./processes/processMemory.ts"
import { ServerProcess, temporaryFolder } from "./processes/ServerProcess.ts"
import { atMost, spreadOf } from "./report.ts"
import { withCsvFile } from "./tables/csvFile.ts"

const importAndExport = ({ postgres, ...run }: Run) =>
  withCsvFile({ postgres, ...run }, async ({ file, folder, url }) => {
    const empty = await postgres.createMigrated("bench_memory")
    const imported = await runClicks(empty, ["import", file, "--json"])
    const exported = await runClicks(url, ["export", "--out", join(folder, "out.ndjson")])
    return { import: imported.memory, export: exported.memory }
  })

/** A gzipped file with a single line of 1 GiB, which is longer than V8's longest string. */
const writeLongLine = async (file: string): Promise<void> => {
  const mebibyte = Buffer.alloc(1024 ** 2, "x")
  const lines = function* () {
    yield "product_id,action,source\np-1,view,web\n"
    for (let count = 0; count < 1024; count++) yield mebibyte
    yield "\np-2,view,web\n"
  }
  await pipeline(lines(), createGzip({ level: 1 }), createWriteStream(file))
}

const importLongLine = async (): Promise<number> => {
  const file = join(temporaryFolder(), "long-line.csv.gz")
  await writeLongLine(file)
  const rejected = 3
  const { memory } = await runClicks("", ["import", file, "--dry-run"], rejected)
  return memory
}

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
    longLine: [] as number[],
    export: [] as number[],
    drain: [] as number[],
    overload: [] as number[]
  }
  for (let round = 0; round < (run.rounds ?? 1); round++) {
    const files = await importAndExport(run)
    found.import.push(files.import)
    found.export.push(files.export)
    found.longLine.push(await importLongLine())
    found.drain.push(await drain(run))
    found.overload.push(await overload(run))
  }
  return [
    atMost("memory of import", spreadOf(found.import), 300, " MB"),
    atMost("memory of import, a line of 1 GiB", spreadOf(found.longLine), 300, " MB"),
    atMost("memory of export", spreadOf(found.export), 300, " MB"),
    atMost("memory of the drain of the spool", spreadOf(found.drain), 300, " MB"),
    atMost("memory in overload, 512 connections", spreadOf(found.overload), 300, " MB")
  ]
}

/** The peak memory of commands and the service. */
export const memory: Benchmark = {
  compares:
    "highest resident memory of import and export of a million rows, of the import of a line of 1 GiB, of the drain of a spool with 300,000 clicks, and of a minute with 512 connections that send as fast as they can; Linux only",
  takes: "4 minutes",
  run
}
