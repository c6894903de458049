// Loaded before the service under test: rewrites its source by the sabotage that the variable SABOTAGE names.
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"
import { fileURLToPath } from "node:url"
import { sabotages } from "./sabotages.ts"

const { file, find, replace } = sabotages[process.env.SABOTAGE]

registerHooks({
  load: (url, context, nextLoad) => {
    if (!url.endsWith(file)) return nextLoad(url, context)
    const source = readFileSync(fileURLToPath(url), "utf8")
    // A service that does not start proves nothing, so the test checks that the service has responded.
    if (!source.includes(find)) throw new Error(`${file} has changed; this sabotage no longer fits: ${find}`)
    return {
      format: "module-typescript",
      source: source.replace(find, () => replace),
      shortCircuit: true
    }
  }
})
