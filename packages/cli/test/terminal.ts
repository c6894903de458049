import { spawn } from "node:child_process"
import { Effect } from "effect"
import { type Environment, environment, Folder, launcher, type Outcome, outcomeOf } from "./clicks.ts"

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The command as a shell would be told it. */
export const commandLine = (args: ReadonlyArray<string>): string =>
  [process.execPath, launcher, ...args].map(quoted).join(" ")

/** Runs a line of shell. */
export const shell = (line: string, env: Environment): Effect.Effect<Outcome, never, Folder> =>
  Effect.gen(function* () {
    const { path } = yield* Folder
    return yield* Effect.promise((signal) => {
      const child = spawn("/bin/sh", ["-c", line], {
        cwd: path,
        env: environment(env),
        stdio: ["ignore", "pipe", "pipe"]
      })
      signal.addEventListener("abort", () => child.kill("SIGKILL"))
      return outcomeOf(child)
    })
  })

/** Runs the command in a terminal of so many columns; `stdout` is what the terminal got. Linux has the `script` for it. */
export const inTerminal = (
  args: ReadonlyArray<string>,
  columns: number,
  env: Environment
): Effect.Effect<Outcome, never, Folder> =>
  shell(`script -qec ${quoted(`stty cols ${columns} rows 24; ${commandLine(args)}`)} /dev/null < /dev/null`, {
    TERM: "xterm",
    SHELL: "/bin/sh",
    ...env
  })

export const hasTerminals = process.platform === "linux"
