import { Clock, Duration, Effect, Fiber, Queue, Stream } from "effect"
import type { HeldTask } from "./HeldTasks.ts"
import { countAttempt, countRecovered } from "./taskMetrics.ts"
import { announceFree, type WorkerState } from "./WorkerState.ts"

const now = Effect.map(Clock.monotonicTimeNanos, (nanos) => Number(nanos / 1_000_000n))

/** Stops doing a task that is not this worker's any more. Nothing of it is written to the queue. */
const giveUp = Effect.fnUntraced(function* <R>(
  state: WorkerState<R>,
  { fiber, lease }: HeldTask,
  why: string
) {
  if (!state.held.isHeld(lease)) return
  const left = state.held.leave(lease)
  yield* Effect.logWarning(`Abandoned task ${lease.id}: ${why}`)
  yield* countAttempt(lease.kind, "lost")
  const ended = Effect.andThen(
    Effect.sync(left),
    Effect.suspend(() => announceFree(state))
  )
  // Not waited for: a handler that does not let itself be interrupted must not hold up the others.
  yield* Effect.forkDetach(Effect.andThen(fiber === undefined ? Effect.void : Fiber.interrupt(fiber), ended))
})

/** Renews what is held, and gives up what the queue has taken away: cancelled, or taken over after a silence. */
export const renew = Effect.fnUntraced(function* <R>(state: WorkerState<R>) {
  const tasks = state.held.all()
  if (tasks.length === 0) return
  const asked = yield* now
  const { renewEvery } = state.options
  const kept = yield* state.leases.renew(tasks.map(({ lease }) => lease)).pipe(Effect.timeout(renewEvery))
  for (const task of tasks) {
    if (kept.has(task.lease.id)) task.renewedAt = asked
    else yield* giveUp(state, task, "it was cancelled or taken over")
  }
})

/**
 * Gives up what could not be renewed for too long, without asking anyone: a worker that was stopped, or cut off from the queue,
 * must have let go by the time others take over.
 */
export const giveUpStale = Effect.fnUntraced(function* <R>(state: WorkerState<R>) {
  const oldest = (yield* now) - Duration.toMillis(Duration.fromInputUnsafe(state.options.giveUpAfter))
  for (const task of state.held.all()) {
    if (task.renewedAt < oldest) yield* giveUp(state, task, "it could not be renewed in time")
  }
})

/** Frees the tasks of workers that fell silent. */
export const recover = Effect.fnUntraced(function* <R>({ leases, options }: WorkerState<R>) {
  const freed = yield* leases.recover(Duration.fromInputUnsafe(options.leaseFor))
  yield* countRecovered(freed.length)
  for (const id of freed) yield* Effect.logWarning(`Recovered task ${id}: its worker stopped responding`)
})

/** Does what the queue says: looks for tasks, stops what was cancelled. */
export const heedSignals = <R>(state: WorkerState<R>): Effect.Effect<void> =>
  Stream.runForEach(state.leases.signals, (signal) => {
    if (signal._tag === "Ready") return Queue.offer(state.wake, undefined)
    const task = state.held.get(signal.id)
    return task === undefined ? Effect.void : giveUp(state, task, "it was cancelled")
  })
