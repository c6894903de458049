import { TaskFailure } from "@clicks/core/tasks/TaskFailure"
import type { TaskHandler } from "@clicks/core/tasks/TaskKind"
import type { TaskLease } from "@clicks/core/tasks/TaskLeases"
import { replaceUnstorable } from "@clicks/core/values/Text"
import { Cause, Clock, Duration, Effect, Exit, Option } from "effect"
import { observeSeconds } from "./taskMetrics.ts"

/** How an attempt went. An error is a sentence that may be shown. */
export type Outcome =
  | { readonly _tag: "Succeeded" }
  | { readonly _tag: "Failed"; readonly error: string; readonly retryable: boolean }

const maxErrorLength = 2000

const storable = (text: string): string => replaceUnstorable(text.slice(0, maxErrorLength))

const outcomeOf = Effect.fnUntraced(function* (exit: Exit.Exit<void, TaskFailure>, { kind }: TaskLease) {
  if (Exit.isSuccess(exit)) return { _tag: "Succeeded" } as Outcome
  const failure = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
  if (failure === undefined) {
    // What a handler did not foresee may name anything: it is for the log, not for the task.
    yield* Effect.logError("The handler failed unexpectedly", exit.cause)
    const error = `The handler of ${kind} failed unexpectedly; see the worker's log`
    return { _tag: "Failed", error, retryable: true } as Outcome
  }
  yield* Effect.logWarning(`Attempt failed: ${failure.message}`, ...(failure.cause ? [failure.cause] : []))
  return { _tag: "Failed", error: storable(failure.message), retryable: failure.retryable } as Outcome
})

/** Runs the handler and tells how it went. Never fails; only an interruption from outside ends it without an outcome. */
export const runLease = Effect.fnUntraced(function* <R>(
  { run }: TaskHandler<R>,
  lease: TaskLease,
  timeLimit: Duration.Input
) {
  const { attempt, id, max_attempts: maxAttempts, payload } = lease
  const began = yield* Clock.currentTimeMillis
  const exit = yield* Effect.suspend(() => run(payload, { id, attempt, maxAttempts })).pipe(
    Effect.timeoutOrElse({
      duration: timeLimit,
      orElse: () =>
        new TaskFailure({
          message: `The attempt timed out after ${Duration.format(Duration.fromInputUnsafe(timeLimit))}`,
          retryable: true
        })
    }),
    Effect.exit
  )
  yield* observeSeconds(lease.kind, (yield* Clock.currentTimeMillis) - began)
  return yield* outcomeOf(exit, lease)
})
