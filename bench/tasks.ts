import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { percentile, printTable, ratios, showSpread, spreadOf } from "./report.ts"
import type { Contestant, Figures } from "./tasks/Contestant.ts"
import { clicks } from "./tasks/clicks.ts"
import { graphile } from "./tasks/graphile.ts"
import { work, workPolling } from "./tasks/work.ts"

const contestants: Readonly<Record<string, Contestant>> = {
  "clicks worker": clicks,
  "pg-boss work()": work,
  "pg-boss work(), polling": workPolling,
  "graphile-worker": graphile
}

const ratesOf = (figures: ReadonlyArray<Figures>) => figures.map(({ rate }) => rate)

const run = async ({ postgres, quick, rounds = 3 }: Run): Promise<ReadonlyArray<Bar>> => {
  const found = Object.keys(contestants).map((name) => ({ name, figures: [] as Figures[] }))
  for (let round = 0; round < rounds; round++) {
    for (const { figures, name } of found) {
      const each = await contestants[name]?.(await postgres.create("bench_tasks"), quick ? 1000 : 10_000)
      if (each !== undefined) figures.push(each)
    }
  }
  const present = found.filter(({ figures }) => figures.length > 0)
  const ours = ratesOf(present[0]?.figures ?? [])
  printTable(
    [
      "",
      "tasks/s",
      "clicks against it",
      "held at most",
      "start of one on an idle worker: p50, ms",
      "p95, ms"
    ],
    present.map(({ figures, name }) => {
      const start = (part: number) => spreadOf(figures.map(({ latencies }) => percentile(latencies, part)))
      const held = String(Math.max(...figures.map(({ heldMost }) => heldMost)))
      const ratio = name === present[0]?.name ? "" : showSpread(ratios(ours, ratesOf(figures)), " ×")
      return [
        name,
        showSpread(spreadOf(ratesOf(figures))),
        ratio,
        held,
        showSpread(start(0.5)),
        showSpread(start(0.95))
      ]
    })
  )
  return []
}

/**
 * How fast tasks run. graphile-worker is skipped unless it is installed elsewhere:
 * `GRAPHILE_WORKER=/elsewhere/node_modules/graphile-worker/dist/index.js`
 */
export const tasks: Benchmark = {
  compares:
    "tasks/s of 10,000 empty tasks in five slots, against pg-boss's own work() with and without LISTEN/NOTIFY, and graphile-worker where GRAPHILE_WORKER says it is installed",
  takes: "3 minutes",
  run
}
