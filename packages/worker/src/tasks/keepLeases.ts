import { monotonicMillis } from "@clicks/core/values/monotonicMillis"
import { Duration, Effect, Fiber, Queue, Stream } from "effect"
import { countAttempt, countRecovered } from "./taskMetrics.ts"
import { announceFree, type HeldTask, isHeld, type WorkerState } from "./WorkerState.ts"

/** Interrupts a task whose lease this worker has lost. Writes nothing to the queue. */
const abandon = Effect.fnUntraced(function* <R>(
  state: WorkerState<R>,
  { fiber, lease }: HeldTask,
  reason: string
) {
  if (!isHeld(state, lease)) return
  state.held.delete(lease.id)
  state.abandoned++
  yield* Effect.logWarning(`Abandoned task ${lease.id}: ${reason}`)
  yield* countAttempt(lease.kind, "lost")
  const ended = Effect.suspend(() => {
    state.abandoned--
    return announceFree(state)
  })
  // Not awaited: a handler that is slow to stop must not delay the other tasks.
  yield* Effect.forkDetach(Effect.andThen(fiber === undefined ? Effect.void : Fiber.interrupt(fiber), ended))
})

/** Renews all held tasks. Abandons those whose lease is lost because they were cancelled or taken over. */
export const renew = Effect.fnUntraced(function* <R>(state: WorkerState<R>) {
  const tasks = Array.from(state.held.values())
  if (tasks.length === 0) return
  const asked = yield* monotonicMillis
  const { renewEvery } = state.options
  const kept = yield* state.leases.renew(tasks.map(({ lease }) => lease)).pipe(Effect.timeout(renewEvery))
  for (const task of tasks) {
    if (kept.has(task.lease.id)) task.renewedAt = asked
    else yield* abandon(state, task, "it was cancelled or taken over")
  }
})

/**
 * Abandons tasks that could not be renewed for too long. It does not ask the queue: a worker that was suspended, or disconnected from the
 * queue, must release its tasks before other workers take them over.
 */
export const abandonStale = Effect.fnUntraced(function* <R>(state: WorkerState<R>) {
  const oldest =
    (yield* monotonicMillis) - Duration.toMillis(Duration.fromInputUnsafe(state.options.giveUpAfter))
  for (const task of Array.from(state.held.values())) {
    if (task.renewedAt < oldest) yield* abandon(state, task, "it could not be renewed in time")
  }
})

/** Recovers the tasks of workers that stopped renewing. */
export const recover = Effect.fnUntraced(function* <R>({ leases, options }: WorkerState<R>) {
  const freed = yield* leases.recover(Duration.fromInputUnsafe(options.leaseFor))
  yield* countRecovered(freed.length)
  for (const id of freed) yield* Effect.logWarning(`Recovered task ${id}: its worker stopped responding`)
})

/** Handles the queue's signals: takes ready tasks and abandons cancelled ones. */
export const followSignals = <R>(state: WorkerState<R>): Effect.Effect<void> =>
  Stream.runForEach(state.leases.signals, (signal) => {
    if (signal._tag === "Ready") return Queue.offer(state.wake, undefined)
    const task = state.held.get(signal.id)
    return task === undefined ? Effect.void : abandon(state, task, "it was cancelled")
  })
