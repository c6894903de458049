import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createClient } from "@clickhouse/client"

/** ClickHouse in this process, installed when it is missing. A process has one data directory. */
export const openChdb = (path: string) => {
  const script = fileURLToPath(new URL("../../scripts/chdb.mjs", import.meta.url))
  const folder = execFileSync(process.execPath, [script], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8"
  }).trim()
  const { createChdbConnection } = createRequire(join(folder, "package.json"))("chdb/connection")
  return createClient({ connection: createChdbConnection({ path }) })
}
