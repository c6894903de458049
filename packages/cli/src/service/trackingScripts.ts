import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL(".", import.meta.resolve("@clicks/browser/package.json")))

/** The built script of `@clicks/browser`, then those of released versions. Empty if it is not built. */
export const trackingScripts = (): ReadonlyArray<string> => {
  const built = join(folder, "dist/clicks.v1.js")
  if (!existsSync(built)) return []
  const released = readdirSync(join(folder, "released")).filter((name) => name.endsWith(".js"))
  return [built, ...released.map((name) => join(folder, "released", name))]
}
