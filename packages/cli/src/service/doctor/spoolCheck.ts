import { Spool, type SpoolStatus } from "@clicks/core/clicks/recording/Spool"
import { Clock, Effect } from "effect"
import * as SpoolLayer from "../../clicks/SpoolLayer.ts"
import { whyOf } from "../../process/describeFailure.ts"
import { countOf } from "../../terminal/format.ts"
import { broken, type Finding, warningIf } from "./Finding.ts"

const check = "spool"

// After an outage, the drain stores waiting clicks within seconds.
const longMillis = 60_000
const crowdedShare = 0.8

const findingOf = (status: SpoolStatus, now: number): Finding => {
  const { bytes, depth, disk_full, max_bytes, oldest, set_aside } = status
  const share = bytes / max_bytes
  const detail = `${countOf(depth, "click")} waiting, ${(share * 100).toFixed(1)}% of its space used`
  if (disk_full) {
    const advice = "Free disk space. Until then, clicks are dropped while the database is unavailable"
    return broken(check, `${detail}; its disk is full`, advice)
  }
  if (set_aside > 0) {
    const files = countOf(set_aside, "damaged file")
    const advice = 'Run "clicks spool check" to see what was lost, then delete them'
    return warningIf(true, check, `${detail}; ${files} set aside`, advice)
  }
  if (share > crowdedShare) {
    const advice =
      "When it is full, clicks are dropped. Check the database, or increase CLICKS_SPOOL_MAX_BYTES"
    return warningIf(true, check, detail, advice)
  }
  const isLate = oldest !== null && now - oldest.getTime() > longMillis
  const age = isLate ? `, oldest from ${oldest.toISOString()}` : ""
  const advice = 'Check the database. A running service then stores them, or run "clicks spool drain"'
  return warningIf(isLate, check, `${detail}${age}`, advice)
}

/** The spool in the data folder. */
export const spoolCheck = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  const advice = "Fix the permissions of its folder, or free disk space"
  return yield* Spool.use((spool) => spool.status).pipe(
    Effect.map((status) => findingOf(status, now)),
    Effect.provide(SpoolLayer.layer),
    Effect.catch((error) => Effect.succeed(broken(check, whyOf(error), advice)))
  )
})
