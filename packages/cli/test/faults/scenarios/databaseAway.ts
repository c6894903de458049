import { Effect } from "effect"
import { DatabaseProxy } from "../../../../sql-adapter/test/DatabaseProxy.ts"
import { scale } from "../Scale.ts"
import { acknowledged, lasting, Trial, underLoad } from "../Trial.ts"

const outages = scale([2500, 200], [130_000, 200, 5000, 1000, 20_000])

// Enough for a million clicks in the long form, even on a slow machine.
const leastClicks = scale(0, 700_000)
const clicksBetween = 20_000

const away = (millis: number) =>
  DatabaseProxy.use((proxy) => Effect.ensuring(Effect.andThen(proxy.stop, lasting(millis)), proxy.start))

/** The database is unavailable for minutes or moments, and returns while clicks keep arriving. */
export const databaseAway = underLoad(
  scale({}, { batches: 4, clicksInBatch: 1000, perSecond: 10_000 }),
  Effect.gen(function* () {
    const { witness } = yield* Trial
    for (const outage of outages) {
      yield* acknowledged(500)
      yield* away(outage)
    }
    let trials = outages.length
    while (witness.acknowledged < leastClicks) {
      yield* acknowledged(clicksBetween)
      yield* away(500 * (trials++ % 6))
    }
    return trials
  })
)
