import { rmSync } from "node:fs"
import { join } from "node:path"
import type { Run } from "../Benchmark.ts"
import { copyTo } from "../processes/copy.ts"
import { temporaryFolder } from "../processes/ServerProcess.ts"
import { clickColumns } from "./clickColumns.ts"
import { filledDatabase } from "./filledDatabase.ts"

/** A CSV file of a million clicks (a hundred thousand with `--quick`), and the database that it was exported from. */
export interface CsvFile {
  readonly folder: string
  readonly file: string
  readonly url: string
  readonly rows: number
}

/** Makes the file and passes it to `use`. Then removes its folder. */
export const withCsvFile = async <A>(run: Run, use: (csv: CsvFile) => Promise<A>): Promise<A> => {
  const rows = run.quick ? 100_000 : 1_000_000
  const url = await filledDatabase(run.postgres, rows)
  const folder = temporaryFolder()
  const file = join(folder, "clicks.csv")
  try {
    await copyTo(url, `select ${clickColumns} from clicks`, file)
    return await use({ folder, file, url, rows })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
