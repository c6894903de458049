import type { TaskHandler } from "@clicks/core/tasks/TaskKind"
import type { TaskLease, TaskLeases } from "@clicks/core/tasks/TaskLeases"
import { Effect, type Fiber, Queue } from "effect"
import type { TaskWorkerOptions } from "./TaskWorkerOptions.ts"
import { setHeld } from "./taskMetrics.ts"

/** A task that this worker holds, and the fiber that runs it. */
export interface HeldTask {
  readonly lease: TaskLease
  /** Undefined until the fiber is forked. */
  fiber: Fiber.Fiber<void> | undefined
  /** When the queue last confirmed the lease, in `monotonicMillis`. */
  renewedAt: number
}

/** The state that the parts of one worker share. */
export interface WorkerState<R> {
  readonly leases: TaskLeases["Service"]
  readonly handlers: ReadonlyMap<string, TaskHandler<R>>
  readonly options: TaskWorkerOptions
  /** The held tasks by id, at most as many as there are slots. */
  readonly held: Map<string, HeldTask>
  /** The number of abandoned tasks whose handlers have not ended yet. Each still takes a slot. */
  abandoned: number
  /** Has an element when there may be a task to take and a slot for it. */
  readonly wake: Queue.Queue<void>
  /** Succeeded tasks whose end is not stored in the queue yet; several are stored in one statement. */
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
    held: new Map(),
    abandoned: 0,
    wake: yield* Queue.sliding<void>(1),
    done: yield* Queue.unbounded<TaskLease>(),
    isStopping: false
  }
  return state
})

export const freeSlots = <R>({ abandoned, held, options }: WorkerState<R>): number =>
  options.maxConcurrentTasks - held.size - abandoned

export const isHeld = <R>({ held }: WorkerState<R>, { attempt, id }: TaskLease): boolean =>
  held.get(id)?.lease.attempt === attempt

/** Wakes the worker when a slot has become free. */
export const announceFree = Effect.fnUntraced(function* <R>({ held, wake }: WorkerState<R>) {
  yield* setHeld(held.size)
  yield* Queue.offer(wake, undefined)
})

/** Releases a task and its slot, if this attempt is still held. */
export const release = <R>(state: WorkerState<R>, lease: TaskLease): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (!isHeld(state, lease)) return Effect.void
    state.held.delete(lease.id)
    return announceFree(state)
  })
