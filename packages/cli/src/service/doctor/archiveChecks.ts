import { archiveStatus } from "@clicks/sql-adapter/clicks/archive/ArchiveStatus"
import { isRequired } from "@clicks/sql-adapter/clicks/archive/ArchiveSwitch"
import { Duration, Effect } from "effect"
import * as Archive from "../../Archive.ts"
import { Settings } from "../../settings/Settings.ts"
import { countOf } from "../../terminal/format.ts"
import { broken, warningIf } from "./localChecks.ts"

const check = "archive"

const slowSeconds = 60

const inspect = Effect.gen(function* () {
  const server = yield* Archive.ArchiveServer.use(({ status }) => status)
  if ("problem" in server) {
    const advice =
      "Check that ClickHouse is running and that CLICKHOUSE_URL is correct. Meanwhile, clicks are recorded as usual"
    return broken(check, server.problem, advice)
  }
  const status = yield* archiveStatus
  const { lagSeconds = 0, moved = 0, waiting = 0 } = status ?? {}
  const since = waiting === 0 ? "" : ` for ${Duration.format(Duration.seconds(Math.round(lagSeconds)))}`
  const detail = `ClickHouse ${server.version}, ${countOf(moved, "click")} moved, ${countOf(waiting, "click")} waiting${since}`
  const advice = 'A worker moves the clicks. See its log ("clicks worker" or "clicks start")'
  return warningIf(lagSeconds >= slowSeconds, check, detail, advice)
})

/** The archive, if there is one. */
export const archiveChecks = Effect.gen(function* () {
  const { clickhouseUrl } = yield* Settings
  if (clickhouseUrl !== undefined)
    return [
      yield* inspect.pipe(
        Effect.provide(Archive.tiers),
        Effect.catchTag("CommandFailed", ({ message }) =>
          Effect.succeed(
            broken(check, message, "Fix this, or unset CLICKHOUSE_URL if you do not use an archive")
          )
        )
      )
    ]
  const missing = broken(check, "older clicks are in ClickHouse", "Set CLICKHOUSE_URL to its URL")
  return (yield* isRequired) ? [missing] : []
})
