import { type ChildProcess, spawn } from "node:child_process"
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { Effect, type Scope } from "effect"

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Where Chromium is on this machine, if it is. */
export const executable = (process.env["PATH"] ?? "")
  .split(delimiter)
  .flatMap((directory) => names.map((name) => join(directory, name)))
  .find(isExecutable)

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // As on a machine without a network: no name resolves, and nothing but this machine is reached.
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--enable-logging=stderr"
]

// The browser is several processes; they end as a group.
const end = (child: ChildProcess, directory: string) =>
  Effect.callback<void>((resume) => {
    const remove = () => {
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
      resume(Effect.void)
    }
    if (child.exitCode !== null || child.pid === undefined) return remove()
    child.once("exit", remove)
    process.kill(-child.pid, "SIGKILL")
  })

/** A browser of its own, with what it writes. It ends with the test. */
export const chromium = (
  ...options: ReadonlyArray<string>
): Effect.Effect<
  { readonly output: Effect.Effect<{ readonly stdout: string; readonly stderr: string }> },
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const directory = mkdtempSync(join(tmpdir(), "clicks-chromium-"))
    const child = spawn(executable ?? "chromium", [...flags, `--user-data-dir=${directory}`, ...options], {
      detached: true,
      env: { ...process.env, TMPDIR: directory },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let stdout = ""
    let stderr = ""
    child.stdout.setEncoding("utf8").on("data", (text) => {
      stdout += text
    })
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text
    })
    yield* Effect.addFinalizer(() => end(child, directory))
    return {
      /** Everything it wrote, when it has ended by itself. */
      output: Effect.callback((resume) => {
        child.once("close", () => resume(Effect.succeed({ stdout, stderr })))
      })
    }
  })
