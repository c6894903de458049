import type { ChildProcess } from "node:child_process"
import { Effect, type Scope } from "effect"
import type { TestDatabase } from "../../../sql-adapter/test/TestDatabase.ts"
import { begin, type Environment, Folder, type Outcome, onTestDatabase, outcomeOf } from "../clicks.ts"
import { firstLine } from "../service/runningService.ts"

interface RunningWorker {
  readonly child: ChildProcess
  /** The JSON that the worker prints when it is ready. */
  readonly ready: { readonly max_concurrent_tasks: number; readonly health: string | null }
  readonly outcome: Promise<Outcome>
}

/** Starts `clicks worker` on the test's database and waits until it is ready; it is killed when the scope closes. */
export const startWorker: (
  env?: Environment
) => Effect.Effect<RunningWorker, never, Folder | Scope.Scope | TestDatabase> = Effect.fnUntraced(function* (
  env = {}
) {
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
