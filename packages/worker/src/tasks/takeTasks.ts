import type { TaskHandler } from "@clicks/core/tasks/TaskKind"
import type { TaskLease } from "@clicks/core/tasks/TaskLeases"
import { monotonicMillis } from "@clicks/core/values/monotonicMillis"
import { Effect, Queue } from "effect"
import { logOutages } from "../repeatedly.ts"
import { runTask } from "./runTask.ts"
import { countAttempt, setHeld } from "./taskMetrics.ts"
import { freeSlots, type HeldTask, type WorkerState } from "./WorkerState.ts"

const start = Effect.fnUntraced(function* <R>(
  state: WorkerState<R>,
  handler: TaskHandler<R>,
  lease: TaskLease,
  renewedAt: number
) {
  const { attempt, id, kind } = lease
  const task: HeldTask = { lease, fiber: undefined, renewedAt }
  state.held.set(id, task)
  // Detached, because running tasks may continue for a while when the worker stops.
  task.fiber = yield* runTask(state, handler, lease).pipe(
    Effect.annotateLogs({ task: id, kind, attempt }),
    Effect.forkDetach
  )
})

// Another worker may have a handler, so the task is handed back, and this worker takes no more tasks of the kind.
const refuse = Effect.fnUntraced(function* <R>(state: WorkerState<R>, lease: TaskLease) {
  const { kind } = lease
  yield* Effect.logWarning(`No handler for tasks of kind ${kind}; leaving them to other workers`)
  yield* countAttempt(kind, "handed_back")
  yield* state.leases.handBack([lease], `No worker with a handler for the kind ${kind} has taken it yet`)
})

/** Takes and starts as many tasks as there are free slots. Returns whether there may be more. */
const takeSome = Effect.fnUntraced(function* <R>(state: WorkerState<R>, unknown: Set<string>) {
  const free = freeSlots(state)
  if (free === 0) return false
  const renewedAt = yield* monotonicMillis
  const taken = yield* state.leases.take(free, Array.from(unknown))
  for (const lease of taken) {
    const handler = state.handlers.get(lease.kind)
    if (handler !== undefined) yield* start(state, handler, lease, renewedAt)
    else {
      unknown.add(lease.kind)
      yield* refuse(state, lease)
    }
  }
  if (taken.length > 0) yield* setHeld(state.held.size)
  return taken.length === free
})

/** Takes tasks until the worker stops: whenever a slot becomes free or a task is announced, and at an interval. */
export const takeTasks = Effect.fnUntraced(function* <R>(state: WorkerState<R>) {
  const take = takeSome(state, new Set()).pipe(logOutages("Taking tasks", false))
  while (!state.isStopping) {
    if (!(yield* take)) yield* Effect.timeoutOption(Queue.take(state.wake), state.options.pollEvery)
  }
})
