import { existsSync, readFileSync } from "node:fs"
import { Result, Schema } from "effect"
import { SalvageReport } from "./SalvageReport.ts"
import { reportPath } from "./SpoolFolder.ts"

const decode = Schema.decodeUnknownResult(Schema.fromJsonString(SalvageReport))

/** The report on a damaged file; null while there is none, or none that can be read. */
export const readReport = (damaged: string): SalvageReport | null => {
  const path = reportPath(damaged)
  return existsSync(path) ? Result.getOrElse(decode(readFileSync(path, "utf8")), () => null) : null
}
