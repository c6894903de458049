import { join } from "node:path"
import * as TokenVerifier from "@clicks/core/access/TokenVerifier"
import * as ClickRecorder from "@clicks/core/clicks/ClickRecorder"
import { Spool } from "@clicks/core/clicks/Spool"
import * as TaskKinds from "@clicks/core/tasks/TaskKinds"
import * as JsonWebTokens from "@clicks/http/access/JsonWebTokens"
import * as HttpServer from "@clicks/http/HttpServer"
import * as Readiness from "@clicks/http/Readiness"
import * as SpoolSqlite from "@clicks/sql-adapter/clicks/SpoolSqlite"
import { ping } from "@clicks/sql-adapter/DatabaseStatus"
import * as CrawlSchedulesSql from "@clicks/sql-adapter/tasks/CrawlSchedulesSql"
import * as TaskQueueSql from "@clicks/sql-adapter/tasks/TaskQueueSql"
import { Effect, Layer, Option } from "effect"
import type { SqlClient } from "effect/sql"
import * as Database from "../Database.ts"
import { Settings } from "../Settings.ts"

/** A day without the database at 20 clicks a second takes some 700 MB. */
const maxSpoolBytes = 1024 ** 3

const spool = Layer.unwrap(
  Effect.map(Settings, ({ dataDir }) =>
    SpoolSqlite.layer({ directory: join(dataDir, "spool"), maxBytes: maxSpoolBytes })
  )
)

const tokens = Layer.unwrap(
  Effect.map(Settings, ({ jwksUrl, jwtSecret }) => {
    if (Option.isSome(jwksUrl)) return JsonWebTokens.layerKeySet(new URL(jwksUrl.value))
    return Option.match(jwtSecret, {
      onNone: () => TokenVerifier.layerNone,
      onSome: (secret) => JsonWebTokens.layerSecret(secret)
    })
  })
)

const databaseCheck = Effect.map(Effect.context<SqlClient.SqlClient>(), (context) =>
  ping.pipe(
    Effect.provideContext(context),
    Effect.as({}),
    Effect.mapError(() => new Readiness.CheckFailed({ reason: "the database does not answer" }))
  )
)

const spoolCheck = Effect.map(Spool, ({ status }) =>
  status.pipe(
    Effect.map(({ depth, oldest }) => ({ depth, oldest: oldest?.toISOString() ?? null })),
    Effect.mapError((error) => new Readiness.CheckFailed({ reason: error.message }))
  )
)

const readiness = Layer.unwrap(
  Effect.gen(function* () {
    return Readiness.layer({ database: yield* databaseCheck, spool: yield* spoolCheck })
  })
)

const http = Layer.unwrap(
  Effect.map(Settings, ({ metricsPublic, adminKey, ...settings }) =>
    HttpServer.layer({
      host: settings.host,
      port: settings.port,
      corsOrigins: settings.corsOrigins,
      trustedProxies: settings.trustedProxies,
      trustOriginHeader: settings.trustOriginHeader,
      publicMetrics: metricsPublic,
      ...(Option.isSome(adminKey) && { adminKey: adminKey.value })
    })
  )
)

const ports = Layer.mergeAll(Database.ports, TaskQueueSql.layer, CrawlSchedulesSql.layer, TaskKinds.layer)

/** The HTTP server on the database of the settings. The layer is ready when the port is open. */
export const layer = http.pipe(
  Layer.provide([ClickRecorder.layerSpooled(), tokens, readiness]),
  Layer.provide(spool),
  Layer.provideMerge(ports),
  Layer.provideMerge(Database.migrated)
)
