import type { ChildProcess } from "node:child_process"
import { Effect } from "effect"
import { begin, type Environment, Folder, type Outcome, onTestDatabase, outcomeOf } from "../clicks.ts"

export interface RunningWorker {
  readonly child: ChildProcess
  /** What it says of itself when it is ready. */
  readonly ready: { readonly max_concurrent_tasks: number; readonly health: string | null }
  readonly outcome: Promise<Outcome>
}

const firstLine = (child: ChildProcess, outcome: Promise<Outcome>): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ""
    child.stdout?.on("data", (chunk: string) => {
      text += chunk
      if (text.includes("\n")) resolve(text)
    })
    outcome.then((ended) => reject(new Error(`It ended before it was ready: ${ended.stderr}`)), reject)
  })

/** Starts `clicks worker` on the test's database and waits until it is ready; it is killed when the scope closes. */
export const startWorker = Effect.fnUntraced(function* (env: Environment = {}) {
  const { path } = yield* Folder
  const database = yield* onTestDatabase
  const child = begin(["worker", "--port", "0", "--json"], { ...database, ...env }, path)
  const outcome = outcomeOf(child)
  yield* Effect.addFinalizer(() =>
    Effect.promise(() => {
      child.kill("SIGKILL")
      return outcome
    })
  )
  const line = yield* Effect.promise(() => firstLine(child, outcome))
  const worker: RunningWorker = { child, ready: JSON.parse(line), outcome }
  return worker
})
