import { moveBatch } from "@clicks/core/clicks/tiers/moveBatch"
import {
  type ArchiveStatus,
  archiveStatus as readStatus
} from "@clicks/sql-adapter/clicks/archive/ArchiveStatus"
import { Duration, Effect, Layer } from "effect"
import * as Archive from "../../Archive.ts"
import { CommandFailed } from "../../CommandError.ts"
import * as Database from "../../Database.ts"
import { countOf, grouped } from "../../terminal/format.ts"
import * as Output from "../../terminal/Output.ts"
import * as Progress from "../../terminal/Progress.ts"
import { verify } from "./verify.ts"

const tiers = Archive.tiers.pipe(Layer.provideMerge(Database.migrated))

const status = Effect.flatMap(readStatus, (found) =>
  found === undefined ? Effect.die("The database is not prepared for an archive") : Effect.succeed(found)
)

const waitingText = ({ lagSeconds, waiting }: ArchiveStatus): string =>
  waiting === 0
    ? "No clicks are waiting"
    : `${countOf(waiting, "click")} waiting, the oldest for ${Duration.format(Duration.seconds(Math.round(lagSeconds)))}`

const serverText = (server: Archive.ServerStatus): string =>
  "problem" in server
    ? `ClickHouse: ${server.problem}`
    : `ClickHouse ${server.version}: ${grouped(server.bytes)} bytes, ${(server.bytes / Math.max(1, server.rows)).toFixed(0)} per click`

const usedText = ({ isCaughtUp }: ArchiveStatus): string =>
  isCaughtUp ? "" : ". Listings use only PostgreSQL until all clicks have been moved once"

/** `clicks archive status`. */
export const archiveStatus = Effect.fn("archiveStatus")(function* ({ json }: Output.Format) {
  const found = yield* status
  const server = yield* Archive.ArchiveServer.use(({ status }) => status)
  const { abandoned, batch, isCaughtUp, lagSeconds, moved, waiting } = found
  if (json)
    return yield* Output.json({
      in_use: isCaughtUp,
      moved,
      batch,
      failed_attempts: abandoned,
      lag_clicks: waiting,
      lag_seconds: Math.round(lagSeconds),
      clickhouse: server
    })
  yield* Output.line(
    `${countOf(moved, "click")} moved, ${countOf(abandoned, "failed attempt")}${usedText(found)}`
  )
  yield* Output.line(waitingText(found))
  yield* Output.line(serverText(server))
}, Effect.provide(tiers))

// A smaller batch contained all clicks that waited when it began.
const large = 50_000

/** `clicks archive move`. */
export const moveToArchive = Effect.fn("moveToArchive")(
  function* (format: Output.Format) {
    const progress = yield* Progress.counter("clicks moved")
    let moved = 0
    let last = 0
    do {
      last = yield* moveBatch
      moved += last
      progress.update(moved)
    } while (last >= large)
    const { waiting } = yield* status
    const left = waiting === 0 ? "" : `; ${countOf(waiting, "click")} waiting`
    yield* Output.change(format, { moved, waiting }, `${countOf(moved, "click")} moved${left}`)
  },
  Effect.scoped,
  Effect.provide(tiers)
)

/** `clicks archive verify`. */
export const verifyArchive = Effect.fn("verifyArchive")(function* ({ json }: Output.Format) {
  const { batches, clicks, days, differences } = yield* verify
  const isOk = differences.length === 0
  if (json) yield* Output.json({ ok: isOk, batches, days, clicks, differences })
  else {
    const found = `${countOf(clicks, "click")} on ${countOf(days, "day")}, ${countOf(batches, "batch").replace(/hs$/, "hes")} checked`
    yield* Output.line([found, ...differences].join("\n"))
  }
  if (!isOk)
    return yield* new CommandFailed({
      message: `Some counts are wrong: ${countOf(differences.length, "difference")}`
    })
}, Effect.provide(tiers))
