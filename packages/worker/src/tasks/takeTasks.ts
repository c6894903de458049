import type { TaskLease } from "@clicks/core/tasks/TaskLeases"
import { Clock, Effect, Queue } from "effect"
import { endFailed } from "./endTasks.ts"
import type { HeldTask } from "./HeldTasks.ts"
import { runLease } from "./runLease.ts"
import { countAttempt, setHeld } from "./taskMetrics.ts"
import type { WorkerState } from "./WorkerState.ts"

const doTask = Effect.fnUntraced(function* <R>(state: WorkerState<R>, lease: TaskLease) {
  const handler = state.handlers.get(lease.kind)
  if (handler === undefined) return
  const outcome = yield* runLease(handler, lease, state.options.timeLimit)
  if (outcome._tag === "Succeeded") yield* Queue.offer(state.done, lease)
  else yield* endFailed(state, lease, outcome)
})

const start = Effect.fnUntraced(function* <R>(state: WorkerState<R>, lease: TaskLease, renewedAt: number) {
  // Detached, because it outlives the loop: when the worker stops, what runs may go on for a while.
  const { attempt, id, kind } = lease
  const task: HeldTask = { lease, fiber: undefined, renewedAt }
  state.held.add(task)
  task.fiber = yield* doTask(state, lease).pipe(
    Effect.annotateLogs({ task: id, kind, attempt }),
    Effect.forkDetach
  )
})

// Another worker may know the kind, so the task goes back and this worker takes no more of it.
const refuse = Effect.fnUntraced(function* <R>(state: WorkerState<R>, { kind, ...lease }: TaskLease) {
  yield* Effect.logWarning(`No handler for tasks of kind ${kind}; leaving them to other workers`)
  yield* countAttempt(kind, "handed_back")
  yield* state.leases.handBack(
    [{ kind, ...lease }],
    `No worker with a handler for the kind ${kind} has taken it yet`
  )
})

/** Takes as many tasks as there are free slots and begins them. Returns whether there may be more to take. */
const takeSome = Effect.fnUntraced(function* <R>(state: WorkerState<R>, unknown: Set<string>) {
  const { free } = state.held
  if (free === 0) return false
  const renewedAt = yield* Clock.monotonicTimeNanos
  const taken = yield* state.leases.take(free, Array.from(unknown))
  for (const lease of taken) {
    if (state.handlers.has(lease.kind)) yield* start(state, lease, Number(renewedAt / 1_000_000n))
    else {
      unknown.add(lease.kind)
      yield* refuse(state, lease)
    }
  }
  if (taken.length > 0) yield* setHeld(state.held.size)
  return taken.length === free
})

/** Takes tasks until the worker stops: when one ends, when one is announced, and now and then. */
export const takeTasks = Effect.fnUntraced(function* <R>(state: WorkerState<R>) {
  const unknown = new Set<string>()
  let isFailing = false
  while (!state.isStopping) {
    const mayBeMore = yield* takeSome(state, unknown).pipe(
      Effect.tap(() => {
        const isNews = isFailing
        isFailing = false
        return isNews ? Effect.logInfo("Taking tasks succeeded again") : Effect.void
      }),
      Effect.catch((error) => {
        const isNews = !isFailing
        isFailing = true
        return Effect.as(
          isNews ? Effect.logWarning("Taking tasks failed; retrying", error) : Effect.void,
          false
        )
      })
    )
    if (!mayBeMore) yield* Effect.timeoutOption(Queue.take(state.wake), state.options.pollEvery)
  }
})
