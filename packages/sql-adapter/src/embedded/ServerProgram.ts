import { type SpawnOptions, spawn } from "node:child_process"
import { Effect } from "effect"
import type { DataFolder } from "./DataFolder.ts"
import { EmbeddedPostgresError } from "./EmbeddedPostgresError.ts"
import type { ServerAccount } from "./ServerAccount.ts"
import { toError } from "./ServerReport.ts"

/** One of PostgreSQL's programs with its arguments, and the account that runs it. */
export interface ServerProgram {
  readonly account: ServerAccount
  readonly program: string
  readonly args: ReadonlyArray<string>
}

// The caller's locale and PG… variables must not change what is made, and its words are matched in English. Windows
// programs do not run without its own variables.
const environment: Pick<SpawnOptions, "env"> =
  process.platform === "win32" ? {} : { env: { LC_ALL: "C", PATH: "/usr/sbin:/usr/bin:/sbin:/bin" } }

export const spawnProgram = ({ account, program, args }: ServerProgram, options: SpawnOptions) => {
  const command = account.command(program, args)
  return spawn(command.file, command.args, {
    ...options,
    ...command.as,
    ...environment,
    cwd: "/",
    windowsHide: true
  })
}

/** The program is there and the system cannot run it, as on a Linux without glibc. */
export const notRunnable = (program: string) =>
  new EmbeddedPostgresError({
    reason: "Unsupported",
    message: `This system cannot run ${program} (on Linux, it requires glibc). Set DATABASE_URL to a PostgreSQL server.`
  })

/** Runs the program to its end; fails with what it said when that is not a success. */
export const run = (
  folder: DataFolder,
  program: ServerProgram,
  input = ""
): Effect.Effect<void, EmbeddedPostgresError> =>
  Effect.callback((resume) => {
    const child = spawnProgram(program, { stdio: "pipe" })
    let words = ""
    child.stdout?.on("data", () => {})
    child.stderr?.on("data", (chunk) => {
      words += chunk
    })
    // It may end without reading; how it ended tells more than a broken pipe.
    child.stdin?.on("error", () => {})
    child.stdin?.end(input)
    child.once("error", () => resume(Effect.fail(notRunnable(program.program))))
    child.once("close", (code) => resume(code === 0 ? Effect.void : Effect.fail(toError(folder, words))))
    return Effect.sync(() => child.kill())
  })
