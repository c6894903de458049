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
  // Reaches nothing but this machine. Each host in .test is a site of its own on it.
  "--host-resolver-rules=MAP *.test 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"
]

// The package unpacks into the folder for temporary files, where it takes whatever is there for complete.
const unpack = async (folder: string) => {
  await mkdir(caches, { recursive: true })
  const unfinished = await mkdtemp(`${folder}-`)
  const script = `import("${packageUrl}").then((chromium) => chromium.default.executablePath())`
  await promisify(execFile)(process.execPath, ["-e", script], {
    // With this variable it also unpacks the libraries that a server without a desktop lacks.
    env: { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x" }
  })
  // Another process may have been faster.
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

/** Starts Chromium: on Linux from its npm package, elsewhere the installed Chrome (`CHROME_PATH` names another). */
export const launchBrowser = async (): Promise<Browser> => {
  const isPackaged = process.platform === "linux" && process.arch === "x64"
  return chromium.launch({ args, chromiumSandbox: false, ...(isPackaged ? await packaged() : installed()) })
}

// Ends a wait in vain. By default that is after 30 seconds, which a page may take where ten processes want two processors.
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

  /** A visitor with a profile of their own, who ends with the test. */
  static readonly visitor = (
    options?: BrowserContextOptions
  ): Effect.Effect<BrowserContext, never, Scope.Scope | TestBrowser> =>
    Effect.acquireRelease(
      Effect.flatMap(TestBrowser, (browser) => Effect.promise(() => newVisitor(browser, options))),
      (visitor) => Effect.promise(() => visitor.close())
    )
}
