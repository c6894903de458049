import { Context, type Duration, type Effect, type Schema, type Stream } from "effect"
import type { PortError } from "../values/PortError.ts"

/**
 * A task that a worker holds. It is the worker's own as long as it renews it; `attempt` tells this lease from an earlier one of
 * the same task, so that a worker that was away cannot end what another has taken over.
 */
export interface TaskLease {
  readonly id: string
  readonly kind: string
  readonly payload: Schema.Json
  /** Which attempt this is, from 1. */
  readonly attempt: number
  readonly max_attempts: number
}

/** Something that a worker wants to know at once. `Ready`: there may be something to take. */
export type TaskSignal = { readonly _tag: "Ready" } | { readonly _tag: "Cancelled"; readonly id: string }

/** How an attempt failed: `retryIn` is null when that was the last one. */
export interface FailedAttempt {
  readonly error: string
  readonly retryIn: Duration.Duration | null
}

/** The tasks, as workers see them. Every operation on leases leaves those alone that are no longer held. */
export class TaskLeases extends Context.Service<
  TaskLeases,
  {
    /**
     * Takes up to `limit` of the tasks that are ready: the highest priority first, then the oldest. Tasks of the kinds in
     * `except` stay. No task is given to two.
     */
    readonly take: (
      limit: number,
      except: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<TaskLease>, PortError>
    /** Says that the worker lives. Returns the ids of the leases that are still held. */
    readonly renew: (leases: ReadonlyArray<TaskLease>) => Effect.Effect<ReadonlySet<string>, PortError>
    /** Ends tasks well. Returns the ids of those that were held. */
    readonly succeed: (leases: ReadonlyArray<TaskLease>) => Effect.Effect<ReadonlySet<string>, PortError>
    /** Ends an attempt badly. False when the lease was not held. */
    readonly fail: (lease: TaskLease, failed: FailedAttempt) => Effect.Effect<boolean, PortError>
    /** Gives tasks back as ready; it costs them no attempt. `error` says why, where that matters to anyone. */
    readonly handBack: (leases: ReadonlyArray<TaskLease>, error?: string) => Effect.Effect<void, PortError>
    /**
     * Frees tasks whose worker has not renewed them for that long: ready at once, or failed when it was the last attempt.
     * Returns their ids.
     */
    readonly recover: (silentFor: Duration.Duration) => Effect.Effect<ReadonlyArray<string>, PortError>
    /**
     * Signals from now on. Never fails: while they cannot be had it waits and tries again, with a `Ready` when they are back,
     * since some were missed. A signal may come for nothing.
     */
    readonly signals: Stream.Stream<TaskSignal>
  }
>()("@clicks/core/tasks/TaskLeases") {}

/** The error of a task whose worker fell silent. */
export const workerLost = (attempt: number): string =>
  `The worker that ran attempt ${attempt} stopped answering`
