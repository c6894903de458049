import { type ChildProcess, spawn } from "node:child_process"
import { stripVTControlCharacters } from "node:util"
import { Effect, type Scope } from "effect"
import { type Environment, environment, Folder, launcher, type Outcome, outcomeOf } from "./clicks.ts"

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The command as a line of shell. */
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

/** Runs the command in a terminal with this many columns. `stdout` is the output to the terminal. Uses `script`, which Linux has. */
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

/** A pseudo-terminal with scripted input. */
export class Terminal {
  #shown = ""
  #look: () => void = () => {}
  readonly #child: ChildProcess

  constructor(child: ChildProcess) {
    this.#child = child
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      this.#shown += text
      this.#look()
    })
  }

  /** All output, including escape sequences. */
  get raw(): string {
    return this.#shown
  }

  /** Waits for the end of the program in the terminal and returns its exit code. */
  get ended(): Promise<number | null> {
    return new Promise((resolve) => {
      if (this.#child.exitCode !== null) resolve(this.#child.exitCode)
      else this.#child.once("close", resolve)
    })
  }

  /** Types the keys, waits until the following output matches and returns it. */
  type(keys: string, until: RegExp): Promise<string> {
    const before = this.#shown.length
    return new Promise((resolve) => {
      this.#look = () => {
        const answer = stripVTControlCharacters(this.#shown.slice(before))
        if (until.test(answer)) resolve(answer)
      }
      this.#child.stdin?.write(keys)
      this.#look()
    })
  }
}

/** Runs a line of shell in a terminal that tests can type into. Ended when the scope closes. */
export const typing = (
  line: string,
  env: Environment
): Effect.Effect<Terminal, never, Folder | Scope.Scope> =>
  Effect.gen(function* () {
    const { path } = yield* Folder
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn("script", ["-qfec", `stty cols 200 rows 50; ${line}`, "/dev/null"], {
          cwd: path,
          env: environment({ TERM: "xterm", SHELL: "/bin/sh", ...env })
        })
      ),
      (started) =>
        Effect.callback<void>((resume) => {
          if (started.exitCode !== null) return resume(Effect.void)
          started.once("exit", () => resume(Effect.void))
          started.kill("SIGKILL")
        })
    )
    return new Terminal(child)
  })

export const hasTerminals = process.platform === "linux"
