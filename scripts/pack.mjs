// Packs every package for npm: `npm run pack [-- FOLDER]` writes the tarballs to FOLDER, by default to `packed`.
import { mkdirSync, rmSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { pnpm } from "./pnpm.mjs"

const root = join(dirname(fileURLToPath(import.meta.url)), "..")
const folder = resolve(process.argv[2] ?? join(root, "packed"))

// `npm install packed/*.tgz` would also install tarballs of other versions.
if (process.argv[2] === undefined) rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
// In sequence, because packing a package also compiles its dependencies.
const pack = ["--recursive", "--workspace-concurrency=1", "--filter", "./packages/*", "pack"]
const { status } = pnpm([...pack, "--pack-destination", folder], {
  cwd: root,
  stdio: ["ignore", "ignore", "inherit"]
})
if (status === 0) console.log(folder)
process.exit(status ?? 1)
