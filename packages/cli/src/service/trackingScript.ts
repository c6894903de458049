import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The built script of `@clicks/browser`; undefined if it is not built. */
export const trackingScript = (): string | undefined => {
  const file = fileURLToPath(
    new URL("dist/clicks.v1.js", import.meta.resolve("@clicks/browser/package.json"))
  )
  return existsSync(file) ? file : undefined
}
