import { Spool, type SpoolStatus } from "@clicks/core/clicks/Spool"
import { Clock, Effect } from "effect"
import * as SpoolLayer from "../../clicks/SpoolLayer.ts"
import { countOf } from "../../program/numbers.ts"
import type { Settings } from "../../Settings.ts"
import { broken, type Finding, ok, warning } from "./Finding.ts"

const name = "spool"

// The drain takes what waits within seconds of the database's return.
const longMillis = 60_000
const crowded = 0.8

const findingOf = (
  { bytes, depth, disk_full, max_bytes, oldest, set_aside }: SpoolStatus,
  now: number
): Finding => {
  const share = bytes / max_bytes
  const age = oldest === null ? 0 : now - oldest.getTime()
  const detail = `${countOf(depth, "click")} waiting, ${(share * 100).toFixed(1)}% of its space used`
  if (disk_full) {
    const remedy = "Free some space: until then clicks that the database does not take are dropped"
    return broken(name, `${detail}; its disk is full`, remedy)
  }
  if (set_aside > 0) {
    const files = countOf(set_aside, "damaged file")
    return warning(
      name,
      `${detail}; ${files} set aside`,
      "clicks spool check says what was lost; then delete them"
    )
  }
  if (share > crowded) {
    return warning(
      name,
      detail,
      "Beyond its space clicks are dropped: see to the database, or set CLICKS_SPOOL_MAX_BYTES"
    )
  }
  return age > longMillis
    ? warning(
        name,
        `${detail}, the oldest since ${oldest?.toISOString()}`,
        "See to the database; a running service then stores them, or clicks spool drain"
      )
    : ok(name, detail)
}

/** The spool in the data folder. */
export const spoolCheck: Effect.Effect<Finding, never, Settings> = Effect.gen(function* () {
  const now = yield* Clock.currentTimeMillis
  return yield* Spool.use((spool) => spool.status).pipe(
    Effect.map((status) => findingOf(status, now)),
    Effect.provide(SpoolLayer.layer),
    Effect.catch(({ cause, message }) =>
      Effect.succeed(
        broken(
          name,
          `${message}: ${cause instanceof Error ? cause.message : String(cause)}`,
          "Correct the permissions of its folder, or free some space"
        )
      )
    )
  )
})
