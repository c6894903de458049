import { setTimeout as sleep } from "node:timers/promises"
import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { createKey } from "./load/createKey.ts"
import { openLoop, type Progress } from "./load/openLoop.ts"
import { askTotal, type WatchedTotals, watchTotals } from "./load/watchTotals.ts"
import { startChdb } from "./processes/chdb.ts"
import { query } from "./processes/PostgresServer.ts"
import { ServerProcess, temporaryFolder } from "./processes/ServerProcess.ts"
import { atMost, digits, percentile, printTable, spreadOf } from "./report.ts"
import { databaseName, filledDatabase } from "./tables/filledDatabase.ts"

const connections = 32

// PostgreSQL, ClickHouse, mover, service and clients share the machine.
const rate = 1_000

interface Archive {
  readonly usable: boolean
  readonly lag_clicks: number
}

const archiveOf = async (url: string): Promise<Archive> => {
  const answer = await fetch(`${url}/readyz`)
  const { checks } = (await answer.json()) as { checks: { archive: Archive } }
  return checks.archive
}

/** Whether only the indexes of a hot store are left. When the archive has caught up, the mover drops the others. */
const isSmall = async (database: string): Promise<boolean> => {
  const indexes = await query(database, "select from pg_index where indrelid = 'clicks'::regclass")
  return indexes.length === 2
}

// The clicks that arrive between two batches always wait.
const hasCaughtUp = async (url: string): Promise<boolean> => {
  const { lag_clicks, usable } = await archiveOf(url)
  return usable && lag_clicks < 10 * rate
}

/** Sends clicks and watches the totals until the condition holds. Checks it every two seconds. */
const until = async (
  { url, port }: ServerProcess,
  key: string,
  base: number,
  load: Progress,
  holds: () => Promise<boolean>
) => {
  const begin = performance.now()
  let isOver = false
  const watching = watchTotals(url, key, base, load, () => isOver)
  do await openLoop(port, connections, rate, 0, 2, load)
  while (!(await holds()))
  isOver = true
  return { seconds: (performance.now() - begin) / 1000, totals: await watching }
}

const check = (what: string, { reads, wrong }: WatchedTotals): void => {
  console.log(`${what}: ${reads} totals, ${wrong.length} wrong`)
  if (wrong.length > 0) throw new Error(`Wrong totals: ${wrong.slice(0, 5).join("; ")}`)
}

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const base = Math.max(...run.rows)
  await filledDatabase(run.postgres, base)
  const database = await run.postgres.create("bench_outage", { from: databaseName(base) })
  const key = await createKey(database, "bench-outage")
  const folder = temporaryFolder()
  let clickHouse = await startChdb(folder)
  const settings = { CLICKHOUSE_URL: clickHouse.url }
  const server = await ServerProcess.clicks(database, temporaryFolder(), settings)
  const load: Progress = { sent: 0, answered: 0 }

  const worker = await ServerProcess.worker(database, settings)
  const enabled = await until(server, key, base, load, () => isSmall(database))
  check("Enabled while recording", enabled.totals)

  const outage = Number(process.env["BENCH_OUTAGE_SECONDS"] ?? (run.quick ? 10 : 120))
  const up = await openLoop(server.port, connections, rate, 2, Math.min(outage, 60), load)
  const { port } = clickHouse
  await clickHouse.kill()
  const down = await openLoop(server.port, connections, rate, 2, outage, load)
  const waiting = (await archiveOf(server.url)).lag_clicks
  clickHouse = await startChdb(folder, port)
  const recovered = await until(server, key, base, load, () => hasCaughtUp(server.url))
  check("Caught up while recording", recovered.totals)

  await sleep(2000)
  const { total } = await askTotal(server.url, key)
  for (const each of [worker, server, clickHouse]) await each.stop()
  await run.postgres.drop("bench_outage")
  if (total !== base + load.answered) throw new Error(`${total} clicks instead of ${base + load.answered}`)

  const p99 = (latencies: ReadonlyArray<number>) => percentile(latencies, 0.99)
  const receipts = [up, down].flatMap((each) => Object.keys(each.receipts))
  if (receipts.some((receipt) => receipt !== "stored")) throw new Error(`Receipts: ${receipts.join(", ")}`)
  printTable(
    [`recording at ${rate} clicks/s`, ""],
    [
      [
        `seconds until ${base.toLocaleString("en-US")} clicks have moved and their indexes are dropped`,
        digits(enabled.seconds)
      ],
      ["p99 while ClickHouse works, ms", digits(p99(up.latencies))],
      [`p99 while it is down for ${outage} s, ms`, digits(p99(down.latencies))],
      ["clicks that waited when it returned", digits(waiting)],
      ["seconds until they have moved", digits(recovered.seconds)]
    ]
  )
  const ratio = spreadOf([p99(down.latencies) / p99(up.latencies)])
  return [atMost(`p99 of recording while ClickHouse is down, against while it works`, ratio, 1.1, " ×")]
}

/** Totals and latency while clicks move to an archive for the first time, and while the archive is down. */
export const archiveOutage: Benchmark = {
  compares:
    "latency of recording while ClickHouse (chdb, in its own process, killed) is down, compared with while it works. Before, the largest table of --rows moves to it. All totals must be right throughout. BENCH_OUTAGE_SECONDS=600 makes the outage ten minutes long",
  takes: "6 minutes with 1,000,000 rows",
  run
}
