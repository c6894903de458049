import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Context, Effect, Layer, Redacted } from "effect"
import { TestDatabase } from "../../sql-adapter/test/TestDatabase.ts"
import { type Outcome, runCommand } from "./CommandPool.ts"

export const launcher = fileURLToPath(new URL("../bin/clicks.mjs", import.meta.url))

export type Environment = Readonly<Record<string, string>>

export type { Outcome }

/** A temporary folder for a test file. */
export class Folder extends Context.Service<Folder, { readonly path: string }>()("@clicks/cli/test/Folder") {}

export const folderLayer = Layer.effect(
  Folder,
  Effect.acquireRelease(
    Effect.sync(() => ({ path: mkdtempSync(join(tmpdir(), "clicks-cli-")) })),
    ({ path }) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
)

/** The variables of a command under test: of the test's own environment only those that a program needs to start. */
export const environment = (given: Environment): Environment => ({
  PATH: process.env["PATH"] ?? "",
  HOME: tmpdir(),
  ...given
})

/** Starts the command. The caller must end it. */
export const begin = (args: ReadonlyArray<string>, env: Environment, cwd: string): ChildProcess =>
  spawn(process.execPath, [launcher, ...args], {
    cwd,
    env: environment(env),
    stdio: ["pipe", "pipe", "pipe"]
  })

/** Starts the command through another program, which runs it. */
export const beginUnder = (
  [program = "", ...before]: ReadonlyArray<string>,
  args: ReadonlyArray<string>,
  env: Environment,
  cwd: string
): ChildProcess =>
  spawn(program, [...before, process.execPath, launcher, ...args], {
    cwd,
    env: environment(env),
    stdio: ["pipe", "pipe", "pipe"]
  })

/** The output and the exit code of a started command, once it has ended. */
export const outcomeOf = (child: ChildProcess): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    let stdout = ""
    let stderr = ""
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text
    })
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text
    })
    child.on("error", reject)
    child.on("close", (code) => resolve({ code, stdout, stderr }))
  })

/** Runs the command without a database to its end. */
export const bare = (
  args: ReadonlyArray<string>,
  env: Environment = {},
  input?: string | Uint8Array
): Effect.Effect<Outcome, never, Folder> =>
  Effect.gen(function* () {
    const { path: cwd } = yield* Folder
    const call = { args, cwd, env: environment(env), input }
    return yield* Effect.promise((signal) => runCommand(call, signal))
  })

/** Variables for the test's database, with a separate spool, so that no other test drains it into another database. */
export const onTestDatabase: Effect.Effect<Environment, never, Folder | TestDatabase> = Effect.gen(
  function* () {
    const { path } = yield* Folder
    const { url } = yield* TestDatabase
    return { DATABASE_URL: Redacted.value(url), CLICKS_DATA_DIR: join(path, "data") }
  }
)

/** Runs the command on the test's database to its end, with a text as its standard input. */
export const clicks = (
  args: ReadonlyArray<string>,
  options: { readonly input?: string | Uint8Array; readonly env?: Environment } = {}
): Effect.Effect<Outcome, never, Folder | TestDatabase> =>
  Effect.flatMap(onTestDatabase, (env) => bare(args, { ...env, ...options.env }, options.input))
