import { Effect } from "effect"
import { DatabaseProxy } from "../../../../sql-adapter/test/DatabaseProxy.ts"
import { scale } from "../Scale.ts"
import { acknowledged, lasting, underLoad } from "../Trial.ts"

const silences = scale([2500], [60_000, 3000, 10_000, 1000])

/** The database accepts connections and statements but never responds. */
export const databaseSilent = underLoad(
  {},
  Effect.gen(function* () {
    const proxy = yield* DatabaseProxy
    for (const silence of silences) {
      yield* acknowledged(500)
      yield* proxy.freeze
      yield* lasting(silence)
      yield* proxy.start
    }
    return silences.length
  })
)
