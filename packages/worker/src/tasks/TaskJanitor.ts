import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { Clock, Duration, Effect, Layer } from "effect"
import { repeatedly } from "../repeatedly.ts"

const keepFor = Duration.days(14)

const purge = Effect.gen(function* () {
  const queue = yield* TaskQueue
  const before = new Date((yield* Clock.currentTimeMillis) - Duration.toMillis(keepFor))
  yield* Effect.repeat(queue.purge(before), { until: (count) => count === 0 })
})

/** Deletes tasks 14 days after they finished. Any number of workers may run this. */
export const layer = Layer.effectDiscard(Effect.forkScoped(repeatedly("Deleting old tasks", "1 hour", purge)))
