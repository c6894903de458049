/**
 * Task queues against each other: 10,000 empty tasks, five slots, one PostgreSQL with its durable settings.
 *
 *     node_modules/.bin/node bench/tasks.ts [clicks] [work] [work-polling] [graphile]
 *
 * - `clicks`: the worker of this service (fetch, complete and touch of pg-boss, woken by LISTEN/NOTIFY).
 * - `work`, `work-polling`: pg-boss's own `work()` with `burstWhenReadyExceeds: 1`, its intervals at 1 s, with and without its
 *   LISTEN/NOTIFY.
 * - `graphile`: graphile-worker with its defaults. Passed over unless it is installed somewhere:
 *   `GRAPHILE_WORKER=/elsewhere/node_modules/graphile-worker/dist/index.js`
 *
 * `TASKS` and `ROUNDS` set how many tasks, and how often each; `DATABASE_URL` a server of one's own, on which databases are made.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import * as EmbeddedPostgres from "../packages/sql-adapter/src/embedded/EmbeddedPostgres.ts"
import type { Contestant, Figures } from "./tasks/Contestant.ts"
import { clicks } from "./tasks/clicks.ts"
import { freshDatabase } from "./tasks/freshDatabase.ts"
import { graphile } from "./tasks/graphile.ts"
import { work, workPolling } from "./tasks/work.ts"

const contestants: Readonly<Record<string, Contestant>> = {
  graphile,
  clicks,
  work,
  "work-polling": workPolling
}
const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(contestants)
const tasks = Number(process.env["TASKS"] ?? 10_000)
const rounds = Number(process.env["ROUNDS"] ?? 3)

const show = (name: string, { heldMost, latencies, rate }: Figures) => {
  const sorted = latencies.toSorted((a, b) => a - b)
  const percentile = (part: number) => sorted[Math.floor(sorted.length * part)]?.toFixed(1) ?? "-"
  console.log(
    `${name.padEnd(14)} ${rate.toFixed(0).padStart(6)} tasks/s   held at most ${heldMost}   ` +
      `start of one on an idle worker: p50 ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms`
  )
}

const measure = async (server: string) => {
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const run = contestants[name]
      if (run === undefined) throw new Error(`There is no ${name}: ${Object.keys(contestants).join(", ")}`)
      const figures = await run(await freshDatabase(server, name), tasks)
      if (figures === undefined) console.log(`${name.padEnd(14)} passed over: it is not installed`)
      else show(name, figures)
    }
  }
}

const given = process.env["DATABASE_URL"]
if (given !== undefined) await measure(given)
else {
  const dataDir = mkdtempSync(join(tmpdir(), "clicks-bench-"))
  const scope = Scope.makeUnsafe()
  const { url } = await Effect.runPromise(EmbeddedPostgres.acquire({ dataDir }).pipe(Scope.provide(scope)))
  await measure(Redacted.value(url)).finally(async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(dataDir, { recursive: true, force: true })
  })
}
process.exit(0)
