import { existsSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

/** The folder of the built dashboard; undefined if it has not been built, which is logged. */
export const dashboardFolder = Effect.gen(function* () {
  const manifest = fileURLToPath(import.meta.resolve("@clicks/dashboard/package.json"))
  const folder = join(dirname(manifest), "dist/page")
  if (existsSync(join(folder, "index.html"))) return folder
  yield* Effect.logWarning('The dashboard has not been built. To build it, run "node scripts/bootstrap.mjs"')
  return undefined
})

const scripts = fileURLToPath(new URL(".", import.meta.resolve("@clicks/browser/package.json")))

/** The built script of `@clicks/browser`, then those of released versions. Empty if it is not built. */
export const trackingScripts = (): ReadonlyArray<string> => {
  const built = join(scripts, "dist/clicks.v1.js")
  if (!existsSync(built)) return []
  const released = readdirSync(join(scripts, "released")).filter((name) => name.endsWith(".js"))
  return [built, ...released.map((name) => join(scripts, "released", name))]
}
