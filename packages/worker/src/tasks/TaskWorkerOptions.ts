import { defaultRetryDelays, type RetryDelays } from "@clicks/core/tasks/retryDelay"
import type { Duration } from "effect"

export interface TaskWorkerOptions {
  /** Tasks held at once at most: taken and not yet ended in the queue. */
  readonly maxConcurrentTasks: number
  /** How often a worker that has nothing to do asks for tasks whose time has come. New ones it is told of at once. */
  readonly pollEvery: Duration.Input
  /** How often the tasks that are held are renewed, and those of dead workers looked for. */
  readonly renewEvery: Duration.Input
  /** After so long without renewal a worker counts as dead and its tasks are taken over. */
  readonly leaseFor: Duration.Input
  /** After so long without renewal a worker gives its tasks up by itself: before others take them over. */
  readonly giveUpAfter: Duration.Input
  /** How long an attempt may take. */
  readonly timeLimit: Duration.Input
  readonly retryDelays: RetryDelays
  /** How long running tasks may go on when the worker stops, before they are handed back. */
  readonly drainFor: Duration.Input
}

/** A dead worker's tasks run again within `leaseFor` + `renewEvery`, which is 15 seconds where there is a worker with room. */
export const defaultOptions: TaskWorkerOptions = {
  maxConcurrentTasks: 5,
  pollEvery: "1 second",
  renewEvery: "3 seconds",
  leaseFor: "12 seconds",
  giveUpAfter: "9 seconds",
  timeLimit: "15 minutes",
  retryDelays: defaultRetryDelays,
  drainFor: "30 seconds"
}
