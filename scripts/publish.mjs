// Publishes the packages whose version npm does not have yet: `npm run release`. Options such as `--dry-run` go to pnpm.
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { pnpm } from "./pnpm.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const browser = join(root, "packages/browser")
const { version } = JSON.parse(readFileSync(join(browser, "package.json"), "utf8"))
const released = join(browser, `released/${version}.js`)
const built = readFileSync(join(browser, "dist/clicks.v1.js"))
if (!existsSync(released) || !built.equals(readFileSync(released))) {
  console.error(
    `packages/browser/released lacks the tracking script of ${version}, which later versions must keep serving. Build it and commit a copy: cp packages/browser/dist/clicks.v1.js packages/browser/released/${version}.js`
  )
  process.exit(1)
}

const publish = ["--recursive", "--workspace-concurrency=1", "--filter", "./packages/*", "publish"]
const { status } = pnpm([...publish, ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit"
})
process.exit(status ?? 1)
