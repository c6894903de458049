import { Effect } from "effect"
import { DatabaseProxy } from "../../../../sql-adapter/test/DatabaseProxy.ts"
import { scale } from "../Scale.ts"
import { acknowledged, lasting, underLoad } from "../Trial.ts"

const outages = scale([2500, 200], [130_000, 200, 5000, 1000, 20_000])

/** The database is away, for minutes and for moments, and is back while clicks keep coming. */
export const databaseAway = underLoad(
  scale({}, { batches: 4, clicksInBatch: 500, perSecond: 6000 }),
  Effect.gen(function* () {
    const proxy = yield* DatabaseProxy
    for (const outage of outages) {
      yield* acknowledged(500)
      yield* proxy.stop
      yield* lasting(outage)
      yield* proxy.start
    }
    return outages.length
  })
)
