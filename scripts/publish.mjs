// Publishes the packages whose version npm does not have yet: `npm run release`. Options such as `--dry-run` go to pnpm.
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { pnpm } from "./pnpm.mjs"

const publish = ["--recursive", "--workspace-concurrency=1", "--filter", "./packages/*", "publish"]
const { status } = pnpm([...publish, ...process.argv.slice(2)], {
  cwd: join(dirname(fileURLToPath(import.meta.url)), ".."),
  stdio: "inherit"
})
process.exit(status ?? 1)
