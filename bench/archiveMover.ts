import { setTimeout as sleep } from "node:timers/promises"
import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { closedLoop } from "./load/closedLoop.ts"
import { openLoop } from "./load/openLoop.ts"
import { startChdb } from "./processes/chdb.ts"
import { query } from "./processes/PostgresServer.ts"
import { processorMicros } from "./processes/processorTime.ts"
import { ServerProcess, temporaryFolder } from "./processes/ServerProcess.ts"
import { atLeast, digits, percentile, printTable, showSpread, spreadOf } from "./report.ts"
import { createArchived } from "./tables/archivedDatabase.ts"
import { fillClicks } from "./tables/fillClicks.ts"

const connections = 64

interface Setting {
  readonly run: Run
  readonly database: string
  readonly clickHouse: ServerProcess
}

interface State {
  readonly moved: number
  readonly attempt: number
}

const stateOf = async (database: string): Promise<State> => {
  const [found] = await query<State>(
    database,
    "select clicks::float8 as moved, last_attempt as attempt from click_archive"
  )
  return found ?? { moved: 0, attempt: 0 }
}

/** Clicks per second of the large attempts after this one. Only after a large attempt does a mover begin the next one at once. */
const rateOf = async (database: string, after: number): Promise<number> => {
  const [found] = await query<{ readonly rate: number }>(
    database,
    `select (sum(clicks) / extract(epoch from sum(moved_at - begun_at)))::float8 as rate
     from click_archive_attempts where state = 'moved' and attempt > ${after} and clicks >= 10000`
  )
  return found?.rate ?? Number.NaN
}

/** Fills the table and runs a mover until it has moved all clicks. Repeats `meanwhile` until then. */
const move = async ({ clickHouse, database, run }: Setting, rows: number, meanwhile: () => Promise<void>) => {
  await fillClicks(database, rows)
  await query(database, "vacuum analyze clicks")
  await run.postgres.settle()
  const { attempt, moved } = await stateOf(database)
  const taken = async () => ({
    postgres: await run.postgres.processorMicros(),
    clickHouse: processorMicros(clickHouse.process.pid ?? 0)
  })
  const before = await taken()
  const mover = await ServerProcess.worker(database, { CLICKHOUSE_URL: clickHouse.url })
  const started = processorMicros(mover.process.pid ?? 0)
  do await meanwhile()
  while ((await stateOf(database)).moved < moved + rows)
  const own = processorMicros(mover.process.pid ?? 0) - started
  const since = await taken()
  await mover.stop()
  return {
    rate: await rateOf(database, attempt),
    micros: {
      mover: own / rows,
      postgres: (since.postgres - before.postgres) / rows,
      clickHouse: (since.clickHouse - before.clickHouse) / rows
    }
  }
}

/** Records at half the highest rate, for two seconds per call. */
const recordHalf = async (server: ServerProcess, { quick }: Run) => {
  const { rate } = await closedLoop(server.port, connections, quick ? 1 : 5)
  const latencies: Array<number> = []
  const record = async () => {
    const done = await openLoop(server.port, connections, rate / 2, 0, 2)
    latencies.push(...done.latencies)
  }
  return { rate: rate / 2, record, latencies }
}

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const rows = Math.max(...run.rows)
  const rounds = run.rounds ?? 3
  const alone: Array<Awaited<ReturnType<typeof move>>> = []
  const beside: Array<
    Awaited<ReturnType<typeof move>> & { readonly recorded: number; readonly p99: number }
  > = []
  const clickHouse = await startChdb(temporaryFolder())
  const database = await createArchived(run.postgres, "bench_mover")
  const server = await ServerProcess.clicks(database, temporaryFolder(), { CLICKHOUSE_URL: clickHouse.url })
  const setting: Setting = { run, database, clickHouse }
  for (let round = 0; round < rounds; round++) {
    server.suspend()
    alone.push(await move(setting, rows, () => sleep(50)))
    server.resume()
    const { latencies, rate, record } = await recordHalf(server, run)
    const moved = await move(setting, rows, record)
    beside.push({ ...moved, recorded: rate, p99: percentile(latencies, 0.99) })
  }
  for (const each of [server, clickHouse]) await each.stop()
  const micros = alone.map((each) => each.micros)
  printTable(
    [`${rows.toLocaleString("en-US")} clicks`, "moved clicks/s"],
    [
      ["alone", showSpread(spreadOf(alone.map(({ rate }) => rate)))],
      ["beside recording at half its highest rate", showSpread(spreadOf(beside.map(({ rate }) => rate)))],
      ["recorded meanwhile, clicks/s", showSpread(spreadOf(beside.map(({ recorded }) => recorded)))],
      ["p99 of recording meanwhile, ms", showSpread(spreadOf(beside.map(({ p99 }) => p99)))]
    ]
  )
  printTable(
    ["processor µs per click, alone", ""],
    (["mover", "postgres", "clickHouse"] as const).map((name) => [
      name,
      digits(spreadOf(micros.map((each) => each[name])).median)
    ])
  )
  const wanted = spreadOf(beside.map(({ rate }) => rate))
  return [atLeast("mover, beside recording at half its highest rate", wanted, 100_000, " clicks/s")]
}

/** How fast clicks move to the archive. */
export const archiveMover: Benchmark = {
  compares:
    "clicks/s that a mover moves to ClickHouse (chdb, in its own process) from the largest table of --rows, alone and beside recording at half its highest rate, with everything on this machine",
  takes: "6 minutes with 1,000,000 rows",
  run
}
