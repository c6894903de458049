import { Effect } from "effect"
import { CommitProxy, type Cut } from "../CommitProxy.ts"
import { scale } from "../Scale.ts"
import { randomMoment, underLoad } from "../Trial.ts"

const cuts = scale(12, 1000)
const places: ReadonlyArray<Cut> = ["answer", "half", "question"]

// Counting pauses for five seconds after it was cut off.
const betweenCutsOfCounting = 50

/**
 * The connection is cut after a batch is committed, when none or half of its response has passed, or when half of the statement
 * has arrived. Sometimes the response of a counting step (`roll_up_clicks`) is cut instead.
 */
export const cutAtCommit = underLoad(
  { batches: 2 },
  Effect.gen(function* () {
    const proxy = yield* CommitProxy
    for (let cut = 0; cut < cuts; cut++) {
      yield* cut % betweenCutsOfCounting === betweenCutsOfCounting - 1
        ? proxy.cut("answer", "SELECT")
        : proxy.cut(places[cut % places.length] ?? "answer", "INSERT")
      yield* randomMoment(0, 60)
    }
    return cuts
  })
)
