import type { TaskHandler } from "@clicks/core/tasks/TaskKind"
import type { TaskLease, TaskLeases } from "@clicks/core/tasks/TaskLeases"
import { Effect, Queue } from "effect"
import { HeldTasks } from "./HeldTasks.ts"
import type { TaskWorkerOptions } from "./TaskWorkerOptions.ts"
import { setHeld } from "./taskMetrics.ts"

/** What the parts of one worker share. */
export interface WorkerState<R> {
  readonly leases: TaskLeases["Service"]
  readonly handlers: ReadonlyMap<string, TaskHandler<R>>
  readonly options: TaskWorkerOptions
  readonly held: HeldTasks
  /** Has something in it when there may be something to take, and room for it. */
  readonly wake: Queue.Queue<void>
  /** Tasks that were done and are to be ended in the queue, together where several wait. */
  readonly done: Queue.Queue<TaskLease>
  isStopping: boolean
}

export const make = Effect.fnUntraced(function* <R>(
  leases: TaskLeases["Service"],
  handlers: ReadonlyArray<TaskHandler<R>>,
  options: TaskWorkerOptions
) {
  const state: WorkerState<R> = {
    leases,
    handlers: new Map(handlers.map((handler) => [handler.kind.name, handler])),
    options,
    held: new HeldTasks(options.maxConcurrentTasks),
    wake: yield* Queue.sliding<void>(1),
    done: yield* Queue.unbounded<TaskLease>(),
    isStopping: false
  }
  return state
})

/** Says that a slot is free. */
export const announceFree = Effect.fnUntraced(function* <R>({ held, wake }: WorkerState<R>) {
  yield* setHeld(held.size)
  yield* Queue.offer(wake, undefined)
})

/** Lets a task go, and its slot with it. */
export const release = <R>(state: WorkerState<R>, lease: TaskLease): Effect.Effect<void> =>
  Effect.suspend(() => (state.held.remove(lease) ? announceFree(state) : Effect.void))
