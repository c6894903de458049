import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { type Duration, Effect, Layer } from "effect"
import { repeatedly } from "../repeatedly.ts"

/** Fires due schedules. Any number of workers may run this; each schedule fires once. */
export const layer = (every: Duration.Input = "1 second"): Layer.Layer<never, never, CrawlSchedules> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { fireDue } = yield* CrawlSchedules
      const fire = Effect.tap(fireDue, (tasks) =>
        tasks.length === 0 ? Effect.void : Effect.logDebug(`Queued scheduled crawls: ${tasks.length}`)
      )
      yield* Effect.forkScoped(repeatedly("Queueing scheduled crawls", every, fire))
    })
  )
