import { Effect } from "effect"
import { scale } from "../Scale.ts"
import { randomMoment, Trial, underLoad } from "../Trial.ts"

const stops = scale(1, 40)

/** SIGTERM under load, again and again. The service must shut down gracefully. */
export const terminated = underLoad(
  {},
  Effect.gen(function* () {
    const { service } = yield* Trial
    for (let stop = 0; stop < stops; stop++) {
      yield* randomMoment(50, 1000)
      const outcome = yield* Effect.promise(() => service.end("SIGTERM"))
      if (outcome?.code !== 0) yield* Effect.die(new Error(`It ended with ${JSON.stringify(outcome)}`))
      yield* Effect.promise(() => service.start())
    }
    return stops
  })
)
