// Installs chdb, ClickHouse as an npm package, unless it is installed, and prints its folder. With 550 MB it is too large for a dependency
// of the workspace, so it has its own folder. `CHDB_FOLDER` sets another one.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const packages = ["chdb@3.4.0", "@clickhouse/client@1.23.1"]
const cache = fileURLToPath(new URL("../node_modules/.cache/chdb-3.4.0", import.meta.url))
const folder = process.env.CHDB_FOLDER ?? cache

const fail = (reason) => {
  console.error(`${reason}. Tests and benchmarks that need ClickHouse cannot run`)
  process.exit(1)
}

const isInstalled = () => existsSync(join(folder, "node_modules", "chdb", "package.json"))

const install = () => {
  console.error(`Installing ${packages.join(" and ")} into ${folder}: 550 MB, a minute ...`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }))
  const options = ["--no-audit", "--no-fund", "--no-save", "--loglevel=error"]
  const { error, status } = spawnSync("npm", ["install", ...options, ...packages], {
    cwd: folder,
    // Standard output is for the folder only, so npm's output goes to standard error.
    stdio: ["ignore", 2, "inherit"],
    timeout: 600_000
  })
  if (status !== 0 || !isInstalled())
    fail(`npm could not install chdb${error ? ` (${error.message})` : ""}: check the network and the disk`)
}

if (!["linux", "darwin"].includes(process.platform) || !["x64", "arm64"].includes(process.arch))
  fail(`chdb has no build for ${process.platform} ${process.arch}`)
if (!isInstalled()) install()
console.log(folder)
