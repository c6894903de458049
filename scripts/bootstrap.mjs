// Makes the checkout runnable: installs the pinned pnpm's dependencies (Node 24 among them) and builds the tracking script and the dashboard,
// when they are missing or older than their sources. Runs on the machine's own Node, 20 or newer, before `npm start` and `npm test`.
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { pnpm } from "./pnpm.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const stampFile = join(root, "node_modules", ".clicks-install")

const [major] = process.versions.node.split(".").map(Number)
if (major < 20) {
  console.error(
    `Clicks needs Node 20 or newer to install itself. This is Node ${process.versions.node}. Get a newer one from https://nodejs.org`
  )
  process.exit(1)
}

const manifests = [
  "package.json",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  ".pnpmfile.mjs",
  "examples/package.json",
  ...readdirSync(join(root, "packages")).map((name) => `packages/${name}/package.json`)
].filter((path) => existsSync(join(root, path)))
const hash = createHash("sha256").update(process.arch + process.platform)
for (const path of manifests) hash.update(readFileSync(join(root, path)))
const stamp = hash.digest("hex")

const installAll = () => {
  console.error("Installing dependencies once: up to 1 GB on disk, a minute or two ...")
  const install = pnpm(["install", "--frozen-lockfile", "--reporter=append-only"], { cwd: root })
  if (install.status !== 0) {
    console.error(`${install.stdout ?? ""}${install.stderr ?? ""}${install.error?.message ?? ""}`)
    console.error(
      "The installation failed. Fix the problem reported above (usually the network or the disk) and run the command again."
    )
    process.exit(1)
  }
  writeFileSync(stampFile, stamp)
}

if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== stamp) installAll()
for (const name of ["browser", "dashboard"]) {
  const { build } = await import(`../packages/${name}/build.mjs`)
  await build()
}
