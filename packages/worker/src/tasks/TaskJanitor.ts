import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { Clock, Duration, Effect, Layer } from "effect"
import { repeatedly } from "./repeatedly.ts"

export interface TaskJanitorOptions {
  /** How long finished tasks can be looked at. */
  readonly keepFor: Duration.Input
  readonly every: Duration.Input
}

export const defaultOptions: TaskJanitorOptions = { keepFor: "14 days", every: "1 hour" }

const purge = Effect.fnUntraced(function* (keepFor: Duration.Duration) {
  const queue = yield* TaskQueue
  const before = new Date((yield* Clock.currentTimeMillis) - Duration.toMillis(keepFor))
  const forgotten = yield* Effect.repeat(queue.purge(before), { until: (count) => count === 0 })
  return forgotten
})

/** Forgets finished tasks when they are old. Every worker may run one. */
export const layer = (options: Partial<TaskJanitorOptions> = {}): Layer.Layer<never, never, TaskQueue> => {
  const { every, keepFor } = { ...defaultOptions, ...options }
  return Layer.effectDiscard(
    Effect.forkScoped(repeatedly("Deleting old tasks", every, purge(Duration.fromInputUnsafe(keepFor))))
  )
}
