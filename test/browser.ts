import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { Context, Effect, Layer, type Scope } from "effect"
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core"

const caches = fileURLToPath(new URL("../node_modules/.cache", import.meta.url))
const packageUrl = import.meta.resolve("@sparticuz/chromium")

const args = [
  "--disable-gpu",
  "--disable-quic",
  // The browser reaches this machine only. Each host in .test is a separate site on it.
  "--host-resolver-rules=MAP *.test 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"
]

// The package unpacks into the folder for temporary files, and takes existing files there for complete.
const unpack = async (folder: string) => {
  await mkdir(caches, { recursive: true })
  const unfinished = await mkdtemp(`${folder}-`)
  const script = `import("${packageUrl}").then((chromium) => chromium.default.executablePath())`
  await promisify(execFile)(process.execPath, ["-e", script], {
    // With this variable, the package also unpacks the libraries that a server without a desktop lacks.
    env: { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" }
  })
  // Another process may have unpacked it first.
  await rename(unfinished, folder).catch((error) => {
    if (!existsSync(folder)) throw error
  })
  await rm(unfinished, { recursive: true, force: true })
}

const packaged = async () => {
  const manifest = await readFile(new URL("../package.json", packageUrl), "utf8")
  const folder = join(caches, `chromium-${JSON.parse(manifest).version}`)
  if (!existsSync(folder)) await unpack(folder)
  const libraries = [join(folder, "al2023/lib"), process.env["LD_LIBRARY_PATH"]]
  const fonts = existsSync("/etc/fonts") ? {} : { FONTCONFIG_PATH: join(folder, "fonts") }
  return {
    executablePath: join(folder, "chromium"),
    env: { ...process.env, ...fonts, LD_LIBRARY_PATH: libraries.filter(Boolean).join(":") }
  }
}

const installed = () => {
  const executablePath = process.env["CHROME_PATH"]
  return executablePath === undefined ? { channel: "chrome" } : { executablePath }
}

/** Starts Chromium from its npm package on Linux x64, elsewhere the installed Chrome or the one that `CHROME_PATH` names. */
export const launchBrowser = async (): Promise<Browser> => {
  const isPackaged = process.platform === "linux" && process.arch === "x64"
  return chromium.launch({ args, chromiumSandbox: false, ...(isPackaged ? await packaged() : installed()) })
}

// The default of 30 seconds is too short when ten processes share two processors.
const longestWait = 300_000

const newVisitor = async (browser: Browser, options?: BrowserContextOptions) => {
  const visitor = await browser.newContext(options)
  visitor.setDefaultTimeout(longestWait)
  return visitor
}

/** One browser for the tests of a file: `layer(TestBrowser.layer, { excludeTestServices: true })("…", (it) => …)`. */
export class TestBrowser extends Context.Service<TestBrowser, Browser>()("TestBrowser") {
  static readonly layer = Layer.effect(
    TestBrowser,
    Effect.acquireRelease(Effect.promise(launchBrowser), (browser) => Effect.promise(() => browser.close()))
  )

  /** A visitor with a separate profile, which is closed after the test. */
  static readonly visitor = (
    options?: BrowserContextOptions
  ): Effect.Effect<BrowserContext, never, Scope.Scope | TestBrowser> =>
    Effect.acquireRelease(
      Effect.flatMap(TestBrowser, (browser) => Effect.promise(() => newVisitor(browser, options))),
      (visitor) => Effect.promise(() => visitor.close())
    )
}
