// Runs the tests that need ClickHouse, on chdb: `npm run test:clickhouse [-- FILE …]`.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const stdio = ["ignore", "pipe", "inherit"]

const chdb = spawnSync(process.execPath, [path("chdb.mjs")], { stdio, encoding: "utf8" })
if (chdb.status !== 0) process.exit(chdb.status ?? 1)

const vitest = path("../node_modules/vitest/vitest.mjs")
const args = ["run", "--config", path("../vitest.clickhouse.ts"), ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, [vitest, ...args], {
  cwd: path(".."),
  stdio: "inherit",
  env: { ...process.env, CHDB_FOLDER: chdb.stdout.trim() }
})
process.exit(status ?? 1)
