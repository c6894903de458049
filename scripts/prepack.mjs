// Compiles a package just before it is packed. Rejects npm, which would leave `catalog:`, `workspace:` and source paths in the manifest.
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join, resolve, sep } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

if (!process.env.npm_config_user_agent?.startsWith("pnpm/")) {
  console.error("npm cannot pack this package. Run `npm run pack` in the root of the repository instead.")
  process.exit(1)
}

const root = fileURLToPath(new URL("..", import.meta.url))
const compiler = join(root, "node_modules/typescript/bin/tsc")
const { status } = spawnSync(process.execPath, [compiler, "--build", root], { stdio: "inherit" })
if (status !== 0) process.exit(status ?? 1)

// Files that the package bundles itself, in addition to its modules or instead of them.
const bundles = existsSync("build.mjs") ? await import(pathToFileURL(resolve("build.mjs")).href) : undefined
await bundles?.build()

// The compiler does not delete the output of removed sources.
const sourceOf = (module) =>
  `${join("src", module).replace(join("src", "testing"), join("test", "contract"))}.ts`
for (const file of readdirSync("dist", { recursive: true })) {
  const [, module] = /^(.+?)\.(?:js|js\.map|d\.ts)$/.exec(file) ?? []
  const isKept =
    module === undefined || existsSync(sourceOf(module)) || bundles?.outputs.includes(file.split(sep, 1)[0])
  if (!isKept) rmSync(join("dist", file))
}
