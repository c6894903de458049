/**
 * The benchmarks. Both sides of each benchmark run in one go, alternating.
 *
 *     npm run bench -- [name …] [--rounds 5] [--quick] [--rows 100000,1000000]
 *
 * `BENCH_DIR=/somewhere` keeps the database with its filled tables for the next run; `DATABASE_URL` selects your own server.
 */
import { cpus, totalmem } from "node:os"
import { parseArgs } from "node:util"
import { analytics } from "./analytics.ts"
import { archive } from "./archive.ts"
import { archiveMover } from "./archiveMover.ts"
import { archiveOutage } from "./archiveOutage.ts"
import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { dashboarding } from "./dashboards.ts"
import { draining } from "./draining.ts"
import { exporting } from "./exporting.ts"
import { flooding } from "./flooding.ts"
import { hung } from "./hung.ts"
import { importing } from "./importing.ts"
import { latency } from "./latency.ts"
import { listing } from "./listing.ts"
import { memory } from "./memory.ts"
import { PostgresServer } from "./processes/PostgresServer.ts"
import { recording } from "./recording.ts"
import { recordingArchive } from "./recordingArchive.ts"
import { recordingLarge } from "./recordingLarge.ts"
import { printBars } from "./report.ts"
import { sdk } from "./sdk.ts"
import { streaming } from "./streaming.ts"
import { tasks } from "./tasks.ts"

const benchmarks: Readonly<Record<string, Benchmark>> = {
  recording,
  "recording-large": recordingLarge,
  "recording-archive": recordingArchive,
  latency,
  hung,
  listing,
  analytics,
  dashboards: dashboarding,
  import: importing,
  export: exporting,
  memory,
  floods: flooding,
  drain: draining,
  sdk,
  stream: streaming,
  tasks,
  archive,
  "archive-mover": archiveMover,
  "archive-outage": archiveOutage
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string" },
    rows: { type: "string" },
    quick: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  }
})

const help = `npm run bench -- [name …] [--rounds N] [--rows N,N…] [--quick]

${Object.entries(benchmarks)
  .map(([name, { compares, takes }]) => `${name}: ${compares}. ${takes}.`)
  .join("\n\n")}

Without a name, all benchmarks run. --rounds: turns per side (1, 3 or 5). --rows: sizes of filled tables
(100000,1000000; 10000000 takes half an hour to fill). --quick: few rows and seconds, to check that a benchmark
works. BENCH_DIR=/somewhere keeps the database with its filled tables for the next run. DATABASE_URL selects your
own server.`

const chosen = positionals.length > 0 ? positionals : Object.keys(benchmarks)
const unknown = chosen.filter((name) => !Object.hasOwn(benchmarks, name))

const numbers = (text: string): Array<number> => text.split(",").map(Number)

let isStopping = false

/** Runs a benchmark. If it fails, the others still run. */
const runOne = async (name: string, run: Run): Promise<ReadonlyArray<Bar>> => {
  console.log(`\n## ${name}\n\n${benchmarks[name]?.compares}`)
  try {
    return (await benchmarks[name]?.run(run)) ?? []
  } catch (error) {
    // Failures while the database is being stopped are expected.
    if (isStopping) return await new Promise(() => {})
    console.error(error)
    process.exitCode = 1
    return []
  }
}

const runAll = async (postgres: PostgresServer): Promise<void> => {
  const { quick } = values
  const rounds = values.rounds !== undefined ? Number(values.rounds) : quick ? 2 : undefined
  const rows = numbers(values.rows ?? (quick ? "20000,100000" : "100000,1000000")).toSorted((a, b) => a - b)
  const memory = `${Math.round(totalmem() / 1024 ** 3)} GiB`
  const software = `Node ${process.versions.node}, PostgreSQL ${await postgres.version()}`
  console.log(`${cpus().length} cores (${cpus()[0]?.model}), ${memory}, ${software}`)
  const bars: Array<Bar> = []
  for (const name of chosen) bars.push(...(await runOne(name, { postgres, quick, rounds, rows })))
  if (bars.length > 0) printBars(bars)
}

if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no benchmark ${unknown.join(", ")}\n`)
  console.log(help)
  process.exit(unknown.length > 0 ? 2 : 0)
}

const postgres = await PostgresServer.start(process.env["BENCH_DIR"])
const stop = async (code?: number) => {
  isStopping = true
  await postgres.stop().finally(() => process.exit(code))
}
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stop(130))
process.on("uncaughtException", (error) => {
  if (isStopping) return
  console.error(error)
  stop(1)
})
await runAll(postgres)
await stop()
