import { join } from "node:path"
import type { Bar, Benchmark, Run } from "./Benchmark.ts"
import { runClicks } from "./processes/command.ts"
import { copyProgram, copyTo } from "./processes/copy.ts"
import { printTable, ratios, showSpread, spreadOf } from "./report.ts"
import { clickColumns } from "./tables/clickColumns.ts"
import { type CsvFile, withCsvFile } from "./tables/csvFile.ts"

const select = `select ${clickColumns} from clicks order by occurred_at desc, id desc`

const measure = async (run: Run, { folder, rows, url }: CsvFile): Promise<ReadonlyArray<Bar>> => {
  const rates = { csv: [] as number[], ndjson: [] as number[], copy: [] as number[] }
  for (let round = 0; round < (run.rounds ?? 3); round++) {
    for (const format of ["csv", "ndjson"] as const) {
      const { seconds } = await runClicks(url, [
        "export",
        "--force",
        "--format",
        format,
        "--out",
        join(folder, `out.${format}`)
      ])
      rates[format].push(rows / seconds)
    }
    rates.copy.push(rows / (await copyTo(url, select, join(folder, "copy.csv"))))
  }
  const ours = (["csv", "ndjson"] as const).map((format) => [
    `clicks export --format ${format}`,
    showSpread(spreadOf(rates[format])),
    showSpread(ratios(rates[format], rates.copy), " ×")
  ])
  printTable(
    [`${rows.toLocaleString("en-US")} rows`, "rows/s", `against ${copyProgram}`],
    [...ours, [copyProgram, showSpread(spreadOf(rates.copy)), ""]]
  )
  return []
}

/** How fast clicks are exported to a file. */
export const exporting: Benchmark = {
  compares:
    "rows/s of `clicks export` of a million rows, against `psql \\copy` of the same rows in the same order",
  takes: "3 minutes",
  run: (run) => withCsvFile(run, (csv) => measure(run, csv))
}
