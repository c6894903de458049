import { retryDelay } from "@clicks/core/tasks/retryDelay"
import type { TaskLease } from "@clicks/core/tasks/TaskLeases"
import { Effect, Queue, Random, Schedule } from "effect"
import type { Outcome } from "./runLease.ts"
import { countAttempt } from "./taskMetrics.ts"
import { release, type WorkerState } from "./WorkerState.ts"

const again = Schedule.min([Schedule.exponential("50 millis"), Schedule.spaced("1 second")]).pipe(
  Schedule.jittered
)

const lost = Effect.fnUntraced(function* ({ id, kind }: TaskLease) {
  yield* Effect.logWarning(`Ignored the result of task ${id}: this worker no longer held it`)
  yield* countAttempt(kind, "lost")
})

// Tried for as long as the worker holds the task; it gives up what it cannot renew, and that ends this too.
const whileHeld = <A, E, R, S>(
  state: WorkerState<S>,
  leases: ReadonlyArray<TaskLease>,
  effect: Effect.Effect<A, E, R>
) => Effect.retry(effect, { schedule: again, while: () => leases.some((lease) => state.held.isHeld(lease)) })

const endAll = Effect.fnUntraced(function* <R>(state: WorkerState<R>, done: ReadonlyArray<TaskLease>) {
  const leases = done.filter((lease) => state.held.isHeld(lease))
  const ended = yield* whileHeld(state, leases, state.leases.succeed(leases)).pipe(
    Effect.orElseSucceed((): ReadonlySet<string> => new Set())
  )
  for (const lease of leases) {
    yield* ended.has(lease.id) ? countAttempt(lease.kind, "succeeded") : lost(lease)
    yield* release(state, lease)
  }
})

/**
 * Ends what is done, all that waits in one statement: with five empty tasks at a time 4,000 a second and not 1,200. A task keeps
 * its slot until the queue has taken note.
 */
export const endDone = Effect.fnUntraced(function* <R>(state: WorkerState<R>): Effect.fn.Return<never> {
  while (true) yield* endAll(state, yield* Queue.takeBetween(state.done, 1, state.held.slots))
})

/** Ends an attempt that failed: for good, or until its next one. */
export const endFailed = Effect.fnUntraced(function* <R>(
  state: WorkerState<R>,
  lease: TaskLease,
  { error, retryable }: Outcome & { readonly _tag: "Failed" }
) {
  const { attempt, kind, max_attempts } = lease
  const random = yield* Random.next
  const retryIn =
    retryable && attempt < max_attempts ? retryDelay(attempt, random, state.options.retryDelays) : null
  const wasHeld = yield* whileHeld(state, [lease], state.leases.fail(lease, { error, retryIn })).pipe(
    Effect.orElseSucceed(() => false)
  )
  yield* wasHeld ? countAttempt(kind, retryIn === null ? "failed" : "retried") : lost(lease)
  yield* release(state, lease)
})
