import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { runClicks } from "./processes/command.ts"
import { copyFrom, copyProgram } from "./processes/copy.ts"
import { query } from "./processes/PostgresServer.ts"
import { atLeast, printTable, ratios, showSpread, spreadOf } from "./report.ts"
import { clickColumns } from "./tables/clickColumns.ts"
import { withCsvFile } from "./tables/csvFile.ts"
import { countAll } from "./tables/filledDatabase.ts"

/** Rows/s of one side, into an empty table with all its indexes. Fails if a row is missing. */
const turn = async ({ postgres }: Run, rows: number, load: (url: string) => Promise<number>) => {
  const url = await postgres.createMigrated("bench_import")
  await postgres.settle()
  const seconds = await load(url)
  const [found] = await query<{ readonly rows: number }>(url, "select count(*)::int as rows from clicks")
  if (found?.rows !== rows) throw new Error(`${found?.rows} rows of ${rows} arrived`)
  return { url, seconds }
}

const ourTurn = (run: Run, rows: number, file: string) =>
  turn(run, rows, (url) => runClicks(url, ["import", file, "--json"]).then((cost) => cost.seconds))

/** The rate including the time that counting the rows for the totals takes afterwards, without pauses. */
const untilCounted = async (rows: number, { seconds, url }: Awaited<ReturnType<typeof turn>>) => {
  const begin = performance.now()
  await countAll(url)
  return rows / (seconds + (performance.now() - begin) / 1000)
}

const theirTurn = async (run: Run, rows: number, file: string) =>
  rows / (await turn(run, rows, (url) => copyFrom(url, `clicks (${clickColumns})`, file))).seconds

const measure = async (run: Run, rows: number, file: string): Promise<ReadonlyArray<Bar>> => {
  const imported: Array<number> = []
  const theirs: Array<number> = []
  for (let round = 0; round < (run.rounds ?? 3); round++) {
    theirs.push(await theirTurn(run, rows, file))
    imported.push(rows / (await ourTurn(run, rows, file)).seconds)
  }
  const counted = [await untilCounted(rows, await ourTurn(run, rows, file))]
  const ratio = ratios(imported, theirs)
  printTable(
    [`${rows.toLocaleString("en-US")} rows`, "rows/s", `against ${copyProgram}`],
    [
      ["clicks import", showSpread(spreadOf(imported)), showSpread(ratio, " ×")],
      [copyProgram, showSpread(spreadOf(theirs)), ""],
      ["clicks import, until all is counted", showSpread(spreadOf(counted)), ""]
    ]
  )
  return [atLeast(`import, against ${copyProgram}`, ratio, 0.8)]
}

const run = (run: Run): Promise<ReadonlyArray<Bar>> =>
  withCsvFile(run, ({ file, rows }) => measure(run, rows, file))

/** How fast a file is imported. */
export const importing: Benchmark = {
  compares:
    "rows/s of `clicks import` of a CSV file of a million rows, against `psql \\copy` of the same file into the same table with all indexes",
  takes: "8 minutes",
  run
}
