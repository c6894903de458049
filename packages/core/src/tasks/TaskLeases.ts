import { Context, type Duration, type Effect, type Schema, type Stream } from "effect"
import type { PortError } from "../values/PortError.ts"

/**
 * A task leased by a worker. The lease ends when the worker stops renewing it. `attempt` distinguishes this lease from earlier ones of the
 * same task, so that a worker that was suspended cannot finish a task that another has taken over.
 */
export interface TaskLease {
  readonly id: string
  readonly kind: string
  readonly payload: Schema.Json
  /** The number of this attempt, from 1. */
  readonly attempt: number
  readonly max_attempts: number
}

/** A notification for workers. `Ready`: there may be tasks to lease. */
export type TaskSignal = { readonly _tag: "Ready" } | { readonly _tag: "Cancelled"; readonly id: string }

/** How an attempt failed. `retryIn` is null after the last attempt. */
export interface FailedAttempt {
  readonly error: string
  readonly retryIn: Duration.Duration | null
}

/** The tasks, for workers. Operations on leases ignore leases that are no longer held. */
export class TaskLeases extends Context.Service<
  TaskLeases,
  {
    /**
     * Leases up to `limit` ready tasks: highest priority first, then oldest first. Skips tasks of the kinds in `except`. No task is leased
     * twice at the same time.
     */
    readonly take: (
      limit: number,
      except: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<TaskLease>, PortError>
    /** Renews the leases. Returns the ids of those that are still held. */
    readonly renew: (leases: ReadonlyArray<TaskLease>) => Effect.Effect<ReadonlySet<string>, PortError>
    /** Marks tasks as succeeded. Returns the ids of those that were held. */
    readonly succeed: (leases: ReadonlyArray<TaskLease>) => Effect.Effect<ReadonlySet<string>, PortError>
    /** Ends an attempt as failed. Returns false if the lease was not held. */
    readonly fail: (lease: TaskLease, failed: FailedAttempt) => Effect.Effect<boolean, PortError>
    /** Makes tasks ready again without using up an attempt. `error` is the reason, if an operator should see one. */
    readonly handBack: (leases: ReadonlyArray<TaskLease>, error?: string) => Effect.Effect<void, PortError>
    /**
     * Ends leases that were not renewed for `silentFor`: the task becomes ready at once or, after its last attempt, failed. Returns the
     * tasks' ids.
     */
    readonly recover: (silentFor: Duration.Duration) => Effect.Effect<ReadonlyArray<string>, PortError>
    /**
     * Signals from now on. Never fails: after a lost connection, it reconnects and emits a `Ready`, because signals may have been missed. A
     * signal may be spurious.
     */
    readonly signals: Stream.Stream<TaskSignal>
  }
>()("@clicks/core/tasks/TaskLeases") {}

/** The error of a task whose worker stopped renewing its lease. */
export const workerLost = (attempt: number): string =>
  `The worker that ran attempt ${attempt} stopped responding`
