import { Effect, Metric } from "effect"

/** How an attempt ended. `lost`: another worker took the task over, or it was cancelled. */
export type AttemptEnd = "succeeded" | "retried" | "failed" | "handed_back" | "lost"

const attempts = Metric.counter("clicks_task_attempts_total", {
  description: "Task attempts by kind and outcome",
  incremental: true
})

const seconds = Metric.histogram("clicks_task_attempt_seconds", {
  description: "Duration of task attempts, by kind",
  boundaries: Metric.exponentialBoundaries({ start: 0.01, factor: 4, count: 9 })
})

const held = Metric.gauge("clicks_tasks_held", { description: "Tasks held by this worker" })

const recovered = Metric.counter("clicks_tasks_recovered_total", {
  description: "Tasks of dead workers recovered by this worker",
  incremental: true
})

export const countAttempt = (kind: string, end: AttemptEnd): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(attempts, { kind, end }), 1)

export const observeSeconds = (kind: string, millis: number): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(seconds, { kind }), millis / 1000)

export const setHeld = (count: number): Effect.Effect<void> => Metric.update(held, count)

export const countRecovered = (count: number): Effect.Effect<void> =>
  count === 0 ? Effect.void : Metric.update(recovered, count)
