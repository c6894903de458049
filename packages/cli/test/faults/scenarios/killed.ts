import { Effect } from "effect"
import { DatabaseProxy } from "../../../../sql-adapter/test/DatabaseProxy.ts"
import { isSabotaged, scale } from "../Scale.ts"
import { atMost, randomMoment, spooled, Trial, underLoad } from "../Trial.ts"

const kills = scale(2, 210)

// The timeout for steps that a sabotaged service never completes.
const patience = isSabotaged ? 10_000 : 300_000

/**
 * SIGKILL of the service at random times under load. Every fourth time, the service is spooling because the database is
 * unavailable, and the next time it is draining.
 */
export const killed = underLoad(
  { batches: 2 },
  Effect.gen(function* () {
    const proxy = yield* DatabaseProxy
    const { service } = yield* Trial
    for (let kill = 0; kill < kills; kill++) {
      if (kill % 4 === 2) yield* proxy.start
      if (kill % 4 === 1) yield* atMost(patience, spooled(200))
      yield* randomMoment(50, kill % 10 === 9 ? 1500 : 700)
      yield* Effect.promise(() => service.end("SIGKILL"))
      if (kill % 4 === 0) yield* proxy.stop
      yield* Effect.promise(() => service.start())
    }
    yield* proxy.start
    return kills
  })
)
