// Compiles a package just before it is packed. Refuses npm, which would leave `catalog:`, `workspace:` and paths of sources in its manifest.
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

if (!process.env.npm_config_user_agent?.startsWith("pnpm/")) {
  console.error("npm cannot pack this package. Run `npm run pack` in the root of the repository instead.")
  process.exit(1)
}

const root = fileURLToPath(new URL("..", import.meta.url))
const compiler = join(root, "node_modules/typescript/bin/tsc")
const { status } = spawnSync(process.execPath, [compiler, "--build", root], { stdio: "inherit" })
if (status !== 0) process.exit(status ?? 1)

// The compiler leaves what it made of sources that are gone.
const sourceOf = (module) =>
  `${join("src", module).replace(join("src", "testing"), join("test", "contract"))}.ts`
for (const file of readdirSync("dist", { recursive: true })) {
  const [, module] = /^(.+?)\.(?:js|js\.map|d\.ts)$/.exec(file) ?? []
  if (module !== undefined && !existsSync(sourceOf(module))) rmSync(join("dist", file))
}
