import * as SenderKeys from "@clicks/core/access/SenderKeys"
import * as TokenVerifier from "@clicks/core/access/TokenVerifier"
import * as ClickRecorder from "@clicks/core/clicks/recording/ClickRecorder"
import { Spool } from "@clicks/core/clicks/recording/Spool"
import * as SpoolMetrics from "@clicks/core/clicks/recording/SpoolMetrics"
import { expireClicks } from "@clicks/core/clicks/tiers/sweepTiers"
import * as Outage from "@clicks/core/Outage"
import * as JsonWebTokens from "@clicks/http/access/JsonWebTokens"
import * as HttpServer from "@clicks/http/HttpServer"
import * as Readiness from "@clicks/http/Readiness"
import * as ClickRetention from "@clicks/sql-adapter/clicks/ClickRetention"
import * as ClickRollup from "@clicks/sql-adapter/clicks/ClickRollup"
import { ping } from "@clicks/sql-adapter/DatabaseStatus"
import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as Archive from "../Archive.ts"
import * as SpoolLayer from "../clicks/SpoolLayer.ts"
import * as Database from "../Database.ts"
import { Settings, withSettings } from "../settings/Settings.ts"
import * as ArchiveHealth from "./ArchiveHealth.ts"
import { dashboardFolder, trackingScripts } from "./builtFiles.ts"
import * as StartupMigration from "./StartupMigration.ts"

const tokens = withSettings(({ jwksUrl, jwtAudience, jwtIssuer, jwtSecret }) => {
  const options = {
    ...(jwtIssuer !== undefined && { issuer: jwtIssuer }),
    ...(jwtAudience !== undefined && jwtAudience !== "*" && { audience: jwtAudience })
  }
  if (jwksUrl !== undefined) return JsonWebTokens.layerKeySet(new URL(jwksUrl), options)
  return jwtSecret === undefined ? TokenVerifier.layerNone : JsonWebTokens.layerSecret(jwtSecret, options)
})

const databaseCheck = Effect.gen(function* () {
  const context = yield* Effect.context<SqlClient.SqlClient>()
  const { isComplete } = yield* StartupMigration.StartupMigration
  return Effect.gen(function* () {
    yield* Effect.mapError(ping, () => new Readiness.CheckFailed({ reason: "the database does not respond" }))
    if (yield* isComplete) return {}
    return yield* new Readiness.CheckFailed({ reason: "the schema has not been migrated yet" })
  }).pipe(Effect.provideContext(context))
})

// The service works without its spool while the database is available, so this check does not affect readiness.
const spoolCheck = Effect.map(Spool, ({ status }) =>
  status.pipe(
    Effect.map((found) => ({
      usable: !found.disk_full,
      ...found,
      oldest: found.oldest?.toISOString() ?? null
    })),
    Effect.catch((error) => Effect.succeed({ usable: false, reason: error.message }))
  )
)

const checks = { database: databaseCheck, spool: spoolCheck }
const checksWithArchive = { ...checks, archive: ArchiveHealth.check }

const readiness = withSettings(({ clickhouseUrl }) =>
  clickhouseUrl === undefined
    ? Layer.unwrap(Effect.map(Effect.all(checks), Readiness.layer))
    : Layer.unwrap(Effect.map(Effect.all(checksWithArchive), Readiness.layer)).pipe(
        Layer.provide(Archive.tiers)
      )
)

const warnOfMissingScript = Effect.gen(function* () {
  if (trackingScripts().length > 0) return
  yield* Effect.logWarning(
    'The script /clicks.v1.js has not been built. To build it, run "node scripts/bootstrap.mjs"'
  )
})

const http = (sharePort: boolean) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const built = { dashboard: yield* dashboardFolder, trackingScripts: trackingScripts() }
      return HttpServer.layer({ ...(yield* Settings), ...built, sharePort })
    })
  ).pipe(Layer.provide(Layer.effectDiscard(warnOfMissingScript)))

const retention = withSettings(({ clickhouseUrl, retentionDays }) => {
  if (retentionDays === undefined) return Layer.empty
  if (clickhouseUrl === undefined) return ClickRetention.layer(retentionDays)
  return ClickRetention.layer(retentionDays, expireClicks).pipe(
    Layer.provide(Archive.tiers),
    // If the archive cannot be opened, `ports` has already failed.
    Layer.orDie
  )
})

const ports = Layer.mergeAll(
  Database.ports,
  StartupMigration.afterMigration(Layer.merge(ClickRollup.layer, retention))
)

const recorder = Layer.mergeAll(
  ClickRecorder.layerSpooled().pipe(Layer.provide(StartupMigration.clickStore)),
  SpoolMetrics.layer,
  Archive.whenArchived(ArchiveHealth.metrics.pipe(Layer.provide(Archive.tiers)))
)

/**
 * The HTTP server on the database of the settings. The layer is ready when the port is open, even if the database is unavailable:
 * then clicks are spooled. `sharePort`: other processes may listen on the same port.
 */
export const layer = (sharePort = false) =>
  http(sharePort).pipe(
    Layer.provide([recorder, tokens, readiness, SenderKeys.layer]),
    Layer.provide([SpoolLayer.layer, Outage.layer]),
    Layer.provideMerge(ports),
    Layer.provideMerge(StartupMigration.layer)
  )
