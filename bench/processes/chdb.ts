import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createClient } from "@clickhouse/client"
import { ServerProcess } from "./ServerProcess.ts"

const install = (): string => {
  const script = fileURLToPath(new URL("../../scripts/chdb.mjs", import.meta.url))
  const output = execFileSync(process.execPath, [script], {
    stdio: ["ignore", "pipe", "inherit"],
    encoding: "utf8"
  })
  return output.trim()
}

/** ClickHouse in this process, installed if it is missing. A process can have only one data directory. */
export const openChdb = (path: string) => {
  const { createChdbConnection } = createRequire(join(install(), "package.json"))("chdb/connection")
  return createClient({ connection: createChdbConnection({ path }) })
}

/** ClickHouse in its own process, over HTTP, installed if it is missing. */
export const startChdb = (path: string, port = 0): Promise<ServerProcess> => {
  const program = fileURLToPath(
    new URL("../../packages/clickhouse-adapter/test/chdbServer.mjs", import.meta.url)
  )
  return ServerProcess.start([program, install(), path, String(port)], {})
}
