// Builds the page into dist/page, each file also compressed. Runs on Node 20, before `npm start` and `npm test`; does nothing if the
// sources have not changed since.
import { createHash } from "node:crypto"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { brotliCompressSync, constants, gzipSync } from "node:zlib"

const here = fileURLToPath(new URL(".", import.meta.url))
const source = join(here, "src")
const dist = join(here, "dist")
const page = join(dist, "page")
const stampName = ".stamp"

/** The folders in dist: the page, and the types that the compiler leaves there for its own use. */
export const outputs = ["page", "types"]

const stampOf = () => {
  const hash = createHash("sha256")
  const files = readdirSync(source, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath, path }) => join(parentPath ?? path, name))
  // With the manifest and the lockfile, so that a new version of a library is built in.
  const more = ["build.mjs", "package.json", "../../pnpm-lock.yaml"].map((name) => join(here, name))
  for (const path of [...files.sort(), ...more])
    if (existsSync(path)) hash.update(path.slice(here.length)).update(readFileSync(path))
  return hash.digest("hex")
}

const compress = (path) => {
  const content = readFileSync(path)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  writeFileSync(`${path}.br`, brotliCompressSync(content, quality))
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
}

// uPlot formats numbers in the language of the browser, and throws in one whose language is none, such as "en-US@posix". The page has its
// own formats, in English.
const uplotInEnglish = {
  name: "uplot-in-english",
  setup: ({ onLoad }) =>
    onLoad({ filter: /uPlot\.esm\.js$/ }, ({ path }) => {
      const given = readFileSync(path, "utf8")
      const contents = given.replace("nav.language", '"en"')
      if (contents === given) throw new Error("uPlot no longer reads nav.language")
      return { contents }
    })
}

const options = {
  entryNames: "[name]-[hash]",
  bundle: true,
  target: ["es2022"],
  minify: true,
  metafile: true,
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "eof",
  logLevel: "warning"
}

const namesIn = ({ metafile }) =>
  Object.keys(metafile.outputs).map((path) => path.slice(path.lastIndexOf("/") + 1))

const bundle = async (folder) => {
  const esbuild = await import("esbuild")
  const build = (names, more) =>
    esbuild.build({
      ...options,
      ...more,
      entryPoints: names.map((name) => join(source, name)),
      outdir: folder
    })
  const [plot] = namesIn(await build(["charts/plot.ts"], { format: "esm", plugins: [uplotInEnglish] }))
  const plotApart = {
    name: "plot-apart",
    setup: ({ onResolve }) =>
      onResolve({ filter: /\/plot\.ts$/ }, () => ({ path: `/assets/${plot}`, external: true }))
  }
  const built = await build(["app.tsx", "start.ts", "style/app.css"], {
    format: "iife",
    plugins: [plotApart]
  })
  const nameOf = (pattern) => namesIn(built).find((name) => pattern.test(name))
  return readFileSync(join(source, "index.html"), "utf8")
    .replace("app.css", nameOf(/^app-.*\.css$/))
    .replace("start.js", nameOf(/^start-.*\.js$/))
    .replace("app.js", nameOf(/^app-.*\.js$/))
}

const isCurrent = (stamp) =>
  existsSync(join(page, stampName)) && readFileSync(join(page, stampName), "utf8") === stamp

// Several processes may build at once. A folder is moved as a whole, so that none of them deletes from the page of another.
const replacePage = (folder, stamp) => {
  const replaced = `${folder}-replaced`
  for (let attempt = 1; !isCurrent(stamp); attempt++) {
    try {
      if (existsSync(page)) renameSync(page, replaced)
      renameSync(folder, page)
    } catch (error) {
      if (attempt === 10) throw error
    }
    rmSync(replaced, { recursive: true, force: true })
  }
  rmSync(folder, { recursive: true, force: true })
}

/** Builds the page if needed. */
export const build = async () => {
  const stamp = stampOf()
  if (isCurrent(stamp)) return
  mkdirSync(dist, { recursive: true })
  const folder = mkdtempSync(join(dist, "page-"))
  // The service may run as another user than the build.
  chmodSync(folder, 0o755)
  writeFileSync(join(folder, "index.html"), await bundle(folder))
  for (const name of readdirSync(folder)) compress(join(folder, name))
  writeFileSync(join(folder, stampName), stamp)
  replacePage(folder, stamp)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await build()
