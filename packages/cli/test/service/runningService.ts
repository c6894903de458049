import type { ChildProcess } from "node:child_process"
import { Effect, Predicate, Schedule } from "effect"
import { begin, type Environment, Folder, type Outcome, outcomeOf } from "../clicks.ts"

interface RunningService {
  readonly url: string
  /** The key that the service printed when it was ready. */
  readonly adminKey: string | null
  /** Waits for the key, which is printed later if the database was slow. */
  readonly firstAdminKey: Effect.Effect<string>
  /** Waits for the link to the dashboard. */
  readonly loginLink: Effect.Effect<string>
  /** The log so far. */
  readonly log: () => string
  readonly child: ChildProcess
  readonly outcome: Promise<Outcome>
}

/** The first line that a process prints when it is ready. */
export const firstLine = (child: ChildProcess, outcome: Promise<Outcome>): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ""
    child.stdout?.on("data", (chunk: string) => {
      text += chunk
      if (text.includes("\n")) resolve(text.slice(0, text.indexOf("\n")))
    })
    outcome.then(
      (ended) => reject(new Error(`It ended before it was ready: ${JSON.stringify(ended)}`)),
      reject
    )
  })

/** The first value of a field in the JSON lines that a service prints. */
const toldIn = (said: string, field: string): string | undefined =>
  said
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line)[field])
    .find((value) => typeof value === "string")

/** Starts `clicks start` or `serve` on a free port and waits until it is ready; it is stopped when the scope closes. */
export const runService = (args: ReadonlyArray<string>, env: Environment) =>
  Effect.gen(function* () {
    const { path } = yield* Folder
    const child = begin([...args, "--json"], { PORT: "0", ...env }, path)
    const outcome = outcomeOf(child)
    yield* Effect.addFinalizer(() =>
      Effect.promise(() => {
        child.kill("SIGTERM")
        return outcome
      })
    )
    let logged = ""
    child.stderr?.on("data", (text: string) => {
      logged += text
    })
    let said = ""
    child.stdout?.on("data", (text: string) => {
      said += text
    })
    const told = (field: string) =>
      Effect.sync(() => toldIn(said, field)).pipe(
        Effect.repeat({ until: Predicate.isNotUndefined, schedule: Schedule.spaced("20 millis") })
      )
    const line = yield* Effect.promise(() => firstLine(child, outcome))
    const { admin_key, url } = JSON.parse(line)
    const later = { firstAdminKey: told("admin_key"), loginLink: told("login_link") }
    return { url, adminKey: admin_key, ...later, log: () => logged, child, outcome } as RunningService
  })
