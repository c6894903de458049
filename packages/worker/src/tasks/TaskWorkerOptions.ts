import { defaultRetryDelays, type RetryDelays } from "@clicks/core/tasks/retryDelay"
import type { Duration } from "effect"

export interface TaskWorkerOptions {
  /** The maximum number of held tasks, from taking a task until its end is stored in the queue. */
  readonly maxConcurrentTasks: number
  /** How often an idle worker polls for scheduled tasks that have become due. New tasks wake it immediately. */
  readonly pollEvery: Duration.Input
  /** How often the worker renews its held tasks and recovers those of dead workers. */
  readonly renewEvery: Duration.Input
  /** A worker that has not renewed for this long counts as dead, and its tasks are taken over. */
  readonly leaseFor: Duration.Input
  /** A worker abandons a task that it could not renew for this long, before another worker takes it over. */
  readonly giveUpAfter: Duration.Input
  /** The maximum duration of an attempt. */
  readonly timeLimit: Duration.Input
  readonly retryDelays: RetryDelays
  /** How long a stopping worker waits for its running tasks before it hands them back. */
  readonly drainFor: Duration.Input
}

/** Tasks of a dead worker run again within `leaseFor` + `renewEvery`, 15 seconds, if another worker has a free slot. */
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
