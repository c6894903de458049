import { setTimeout as sleep } from "node:timers/promises"
import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { clickBodies } from "./load/clickRequests.ts"
import { createKey } from "./load/createKey.ts"
import { openLoop } from "./load/openLoop.ts"
import { freeze } from "./processes/freeze.ts"
import { query } from "./processes/PostgresServer.ts"
import { ServerProcess } from "./processes/ServerProcess.ts"
import { atMost, digits, percentile, printTable, spreadOf } from "./report.ts"

const clients = 10
const rate = 100

// One second before the database hangs, two until the service notices, and two until the waiting clicks are processed.
const before = 1
const warmUp = 5

const user = "bench-hung"

/** Sends a click with a key. */
const sendKeyed = async (server: ServerProcess, key: string) => {
  const begin = performance.now()
  const answer = await fetch(`${server.url}/api/events/product-click`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": key },
    body: clickBodies[0] ?? ""
  })
  await answer.text()
  return { millis: performance.now() - begin, receipt: answer.headers.get("click-receipt") }
}

const spoolDepth = async (server: ServerProcess): Promise<number> => {
  const answer = await fetch(`${server.url}/readyz`)
  const { checks } = (await answer.json()) as { checks: { spool: { depth?: number } } }
  return checks.spool.depth ?? (await spoolDepth(server))
}

const turn = async (run: Run) => {
  const url = await run.postgres.createMigrated("bench_hung")
  const key = await createKey(url, user)
  const server = await ServerProcess.clicks(url)
  // Keys are cached once the listener for revocations has connected, which takes less than a second.
  await sleep(1000)
  const keyed = [await sendKeyed(server, key)]
  const seconds = run.quick ? 6 : 60
  const calm = await openLoop(server.port, clients, rate, before, seconds / 6)
  const load = openLoop(server.port, clients, rate, warmUp, seconds)
  await sleep(before * 1000)
  const thaw = await freeze(run.postgres.url)
  let isOver = false
  const others = load.finally(() => {
    isOver = true
  })
  while (!isOver) {
    keyed.push(await sendKeyed(server, key))
    await sleep(500)
  }
  const { latencies } = await others.finally(thaw)
  const begin = performance.now()
  let recovered = await sendKeyed(server, key)
  keyed.push(recovered)
  while (recovered.receipt !== "stored") {
    await sleep(20)
    recovered = await sendKeyed(server, key)
    keyed.push(recovered)
  }
  const recovery = performance.now() - begin
  while ((await spoolDepth(server)) > 0) await sleep(50)
  await server.stop()
  const [found] = await query<{ readonly all: number; readonly named: number }>(
    url,
    `select count(*)::int as all, count(*) filter (where user_id = '${user}')::int as named from clicks`
  )
  const sent = rate * (before + seconds / 6 + warmUp + seconds) + keyed.length
  if (found?.all !== sent) throw new Error(`${found?.all} clicks of ${sent} arrived`)
  if (found.named !== keyed.length)
    throw new Error(`${found.named} of ${keyed.length} clicks with a key have its user`)
  // Without the first, sent before, and the second, sent before the service noticed.
  return {
    calm,
    latencies,
    detection: keyed[1]?.millis ?? 0,
    keyed: keyed.slice(2).map(({ millis }) => millis),
    recovery
  }
}

const run = async (run: Run): Promise<ReadonlyArray<Bar>> => {
  const turns: Array<Awaited<ReturnType<typeof turn>>> = []
  for (let round = 0; round < (run.rounds ?? 1); round++) turns.push(await turn(run))
  const row = (name: string, values: ReadonlyArray<number>) => [
    name,
    ...[0.5, 0.99, 1].map((part) => digits(percentile(values, part)))
  ]
  printTable(
    ["", "p50, ms", "p99, ms", "longest, ms"],
    [
      row(
        "ten clients, before",
        turns.flatMap(({ calm }) => calm.latencies)
      ),
      row(
        "ten clients, while the database hangs",
        turns.flatMap(({ latencies }) => latencies)
      ),
      row(
        "clicks with a key, while it hangs",
        turns.flatMap(({ keyed }) => keyed)
      ),
      row(
        "the first click with a key, while it hangs",
        turns.map(({ detection }) => detection)
      ),
      row(
        "until clicks are stored again",
        turns.map(({ recovery }) => recovery)
      )
    ]
  )
  const p99 = spreadOf(turns.map(({ latencies }) => percentile(latencies, 0.99)))
  return [atMost("p99 of recording while the database hangs", p99, 50, " ms")]
}

/** Latency of recording while the database hangs. */
export const hung: Benchmark = {
  compares:
    "latency of recording while PostgreSQL and all its processes are stopped (SIGSTOP): ten clients at 100 clicks/s for a minute, from the moment a click was due, after the service has noticed; every click must be stored afterwards. Needs Linux",
  takes: "2 minutes",
  run
}
