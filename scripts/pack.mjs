// Packs every package for npm: `npm run pack [-- FOLDER]` writes the tarballs to FOLDER, by default to `packed`.
import { mkdirSync, rmSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { pnpm } from "./pnpm.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const folder = resolve(process.argv[2] ?? join(root, "packed"))

// A tarball of another version would be installed as well.
if (process.argv[2] === undefined) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
// One after the other: each compiles the packages that it depends on.
const pack = ["--recursive", "--workspace-concurrency=1", "--filter", "./packages/*", "pack"]
const { status } = pnpm([...pack, "--pack-destination", folder], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"]
})
if (status === 0) console.log(folder)
process.exit(status ?? 1)
