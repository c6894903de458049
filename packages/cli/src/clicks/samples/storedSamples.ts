import { countIds, deleteIds } from "@clicks/core/clicks/tiers/deleteIds"
import * as SampleClicks from "@clicks/sql-adapter/clicks/SampleClicks"
import { Effect } from "effect"
import * as Archive from "../../Archive.ts"
import { Settings } from "../../settings/Settings.ts"
import { countOf } from "../../terminal/format.ts"
import * as Output from "../../terminal/Output.ts"

/** Runs `both` if there is an archive, else `database`. */
const inTiers = <A, E, R, E2, R2>(both: Effect.Effect<A, E, R>, database: Effect.Effect<A, E2, R2>) =>
  Effect.gen(function* () {
    const { clickhouseUrl } = yield* Settings
    return clickhouseUrl === undefined ? yield* database : yield* Effect.provide(both, Archive.tiers)
  })

const countTiers = Effect.gen(function* () {
  return (yield* countIds(SampleClicks.ids)) ?? (yield* SampleClicks.count)
})

const removeTiers = Effect.gen(function* () {
  const removed = yield* countTiers
  if (removed > 0)
    yield* Output.note(
      `Deleting ${countOf(removed, "sample click")}, also from ClickHouse. This takes a minute`
    )
  yield* deleteIds(SampleClicks.ids)
  return removed
})

/** The number of stored sample clicks. */
export const countSamples = inTiers(countTiers, SampleClicks.count)

/** Deletes all sample clicks, and no others, from the database and the archive, if there is one. Returns their number. */
export const removeSamples = inTiers(removeTiers, SampleClicks.remove)
