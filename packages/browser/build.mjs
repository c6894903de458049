// Builds the script and the modules into dist. Runs on Node 20, before `npm start` and `npm test`; does nothing if dist is newer than the
// sources.
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(new URL(".", import.meta.url))
const script = { in: join(here, "src/script.ts"), out: "clicks.v1" }
const modules = ["index", "capture"].map((name) => ({ in: join(here, `src/${name}.ts`), out: name }))

/** The files in dist. */
export const outputs = [script, ...modules].map(({ out }) => `${out}.js`)

const timeOf = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

const isFresh = () => {
  const sources = readdirSync(join(here, "src")).map((name) => timeOf(join(here, "src", name)))
  const built = outputs.map((name) => timeOf(join(here, "dist", name)))
  return Math.min(...built) > Math.max(timeOf(join(here, "build.mjs")), ...sources)
}

/** Builds the files if needed. */
export const build = async () => {
  if (isFresh()) return
  const esbuild = await import("esbuild")
  // The empty `tsconfigRaw` turns strict mode off, which would add a line to the script.
  const common = { bundle: true, minify: true, target: "es2021", tsconfigRaw: {}, outdir: join(here, "dist") }
  await esbuild.build({ ...common, entryPoints: [script], format: "iife" })
  await esbuild.build({ ...common, entryPoints: modules, format: "esm" })
}
