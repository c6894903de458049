import { Spool, type SpoolStatus } from "@clicks/core/clicks/recording/Spool"
import { Clock, Effect } from "effect"
import * as SpoolLayer from "../../clicks/SpoolLayer.ts"
import type { Settings } from "../../settings/Settings.ts"
import { countOf } from "../../terminal/format.ts"
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
    const remedy = "Free disk space. Until then, clicks are dropped while the database is unavailable"
    return broken(name, `${detail}; its disk is full`, remedy)
  }
  if (set_aside > 0) {
    const files = countOf(set_aside, "damaged file")
    return warning(
      name,
      `${detail}; ${files} set aside`,
      'Run "clicks spool check" to see what was lost, then delete them'
    )
  }
  if (share > crowded) {
    return warning(
      name,
      detail,
      "When it is full, clicks are dropped. Check the database, or increase CLICKS_SPOOL_MAX_BYTES"
    )
  }
  return age > longMillis
    ? warning(
        name,
        `${detail}, oldest from ${oldest?.toISOString()}`,
        'Check the database. A running service then stores them, or run "clicks spool drain"'
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
          "Fix the permissions of its folder, or free disk space"
        )
      )
    )
  )
})
