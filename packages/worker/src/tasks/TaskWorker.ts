import type { TaskHandler } from "@clicks/core/tasks/TaskKind"
import { TaskLeases } from "@clicks/core/tasks/TaskLeases"
import { Context, Duration, Effect, Fiber, Layer, Queue } from "effect"
import { repeatedly } from "../repeatedly.ts"
import { abandonStale, followSignals, recover, renew } from "./keepLeases.ts"
import { endSucceeded } from "./runTask.ts"
import { defaultOptions, type TaskWorkerOptions } from "./TaskWorkerOptions.ts"
import { takeTasks } from "./takeTasks.ts"
import { countAttempt, setHeld } from "./taskMetrics.ts"
import * as WorkerState from "./WorkerState.ts"

/** Takes tasks from the queue and runs them. */
export class TaskWorker extends Context.Service<
  TaskWorker,
  {
    /** The number of tasks that the worker holds. */
    readonly held: Effect.Effect<number>
    /** Whether the worker takes tasks; false as soon as it is stopping. */
    readonly isTaking: Effect.Effect<boolean>
  }
>()("@clicks/worker/tasks/TaskWorker") {}

const untilNoneHeld = <R>(state: WorkerState.WorkerState<R>) =>
  Effect.gen(function* () {
    while (state.held.size > 0) yield* Queue.take(state.wake)
  })

const handBackRest = Effect.fnUntraced(function* <R>(state: WorkerState.WorkerState<R>) {
  const rest = Array.from(state.held.values())
  if (rest.length === 0) return
  yield* Effect.logWarning(`Returning running tasks to the queue: ${rest.length}`)
  yield* Effect.forEach(rest, ({ lease }) => countAttempt(lease.kind, "handed_back"), { discard: true })
  yield* Fiber.interruptAll(rest.flatMap(({ fiber }) => fiber ?? [])).pipe(Effect.timeoutOption("2 seconds"))
  yield* state.leases.handBack(rest.map(({ lease }) => lease)).pipe(
    Effect.timeout("5 seconds"),
    Effect.catch((error) =>
      Effect.logError(
        "Returning tasks to the queue failed; other workers take them when their leases expire",
        error
      )
    )
  )
})

/** Takes no more tasks, waits for the running ones, and hands back those that do not finish in time. */
const drain = Effect.fnUntraced(function* <R>(state: WorkerState.WorkerState<R>, taking: Fiber.Fiber<void>) {
  state.isStopping = true
  yield* Queue.offer(state.wake, undefined)
  // A take that is in progress still adds to the held tasks.
  yield* Fiber.await(taking).pipe(Effect.timeoutOption("5 seconds"))
  const { drainFor } = state.options
  if (state.held.size > 0) {
    const patience = Duration.format(Duration.fromInputUnsafe(drainFor))
    yield* Effect.logInfo(`Waiting up to ${patience} for running tasks: ${state.held.size}`)
  }
  yield* untilNoneHeld(state).pipe(Effect.timeoutOption(drainFor))
  yield* handBackRest(state)
  yield* setHeld(0)
})

const make = Effect.fnUntraced(function* <R>(
  handlers: ReadonlyArray<TaskHandler<R>>,
  options: TaskWorkerOptions
) {
  const state = yield* WorkerState.make(yield* TaskLeases, handlers, options)
  yield* Effect.forkScoped(followSignals(state))
  yield* Effect.forkScoped(repeatedly("Renewing tasks", options.renewEvery, renew(state)))
  yield* Effect.forkScoped(repeatedly("Abandoning stale tasks", "1 second", abandonStale(state)))
  yield* Effect.forkScoped(repeatedly("Task recovery", options.renewEvery, recover(state)))
  yield* Effect.forkScoped(endSucceeded(state))
  const taking = yield* Effect.forkScoped(takeTasks(state))
  // Finalizers run in reverse order, so everything above still works while the worker drains.
  yield* Effect.addFinalizer(() => drain(state, taking))
  return TaskWorker.of({
    held: Effect.sync(() => state.held.size),
    isTaking: Effect.sync(() => !state.isStopping && taking.pollUnsafe() === undefined)
  })
})

/**
 * A worker for the kinds of tasks that have a handler in `handlers`. Any number of workers, in any number of processes, may share a queue.
 * It drains when the layer's scope closes.
 */
export const layer = <Services extends ReadonlyArray<unknown>>(
  handlers: { readonly [Index in keyof Services]: TaskHandler<Services[Index]> },
  options: Partial<TaskWorkerOptions> = {}
): Layer.Layer<TaskWorker, never, TaskLeases | Services[number]> =>
  Layer.effect(TaskWorker, make<Services[number]>(handlers, { ...defaultOptions, ...options }))
