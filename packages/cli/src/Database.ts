import * as ClickAnalyticsTiered from "@clicks/core/analytics/ClickAnalyticsTiered"
import * as ClickArrivalsTiered from "@clicks/core/clicks/tiers/ClickArrivalsTiered"
import * as ClickStoreTiered from "@clicks/core/clicks/tiers/ClickStoreTiered"
import * as TaskKinds from "@clicks/core/tasks/TaskKinds"
import * as ApiKeysSql from "@clicks/sql-adapter/access/ApiKeysSql"
import * as SessionsSql from "@clicks/sql-adapter/access/SessionsSql"
import * as TrustedOriginsSql from "@clicks/sql-adapter/access/TrustedOriginsSql"
import * as ClickAnalyticsSql from "@clicks/sql-adapter/analytics/ClickAnalyticsSql"
import * as ArchiveSwitch from "@clicks/sql-adapter/clicks/archive/ArchiveSwitch"
import * as ClickArrivalsSql from "@clicks/sql-adapter/clicks/ClickArrivalsSql"
import * as ClickStoreSql from "@clicks/sql-adapter/clicks/ClickStoreSql"
import * as LinkSecretSql from "@clicks/sql-adapter/clicks/LinkSecretSql"
import * as QuarantineSql from "@clicks/sql-adapter/clicks/QuarantineSql"
import * as Database from "@clicks/sql-adapter/Database"
import { databaseStatus } from "@clicks/sql-adapter/DatabaseStatus"
import { hasDatabase } from "@clicks/sql-adapter/embedded/DataFolder"
import * as EmbeddedPostgres from "@clicks/sql-adapter/embedded/EmbeddedPostgres"
import type { EmbeddedPostgresError } from "@clicks/sql-adapter/embedded/EmbeddedPostgresError"
import { migrate } from "@clicks/sql-adapter/migrations/migrate"
import * as StorePayloadsSql from "@clicks/sql-adapter/stores/StorePayloadsSql"
import * as StoresSql from "@clicks/sql-adapter/stores/StoresSql"
import * as CrawlSchedulesSql from "@clicks/sql-adapter/tasks/CrawlSchedulesSql"
import * as TaskQueueSql from "@clicks/sql-adapter/tasks/TaskQueueSql"
import type { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as Archive from "./Archive.ts"
import { CommandFailed } from "./CommandError.ts"
import { Settings, withSettings } from "./settings/Settings.ts"

const MayCreate = Context.Reference<boolean>("@clicks/cli/Database/MayCreate", { defaultValue: () => false })

/** Lets a command create the embedded database if there is none. */
export const creating: <A, E, R>(command: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.provideService(MayCreate, true)

// A new database in the wrong folder would look like an empty one.
const refuseMissing = Effect.fnUntraced(function* (dataDir: string) {
  if ((yield* MayCreate) || hasDatabase(dataDir)) return
  return yield* new CommandFailed({
    message:
      `There is no database in ${dataDir}. Create one with "clicks start", ` +
      "or set CLICKS_DATA_DIR or DATABASE_URL to an existing one"
  })
})

/**
 * The database of `DATABASE_URL`, or else the embedded one, which runs while the layer is in use. Fails with `CommandFailed` if
 * there is no embedded one and the command is not `creating`.
 */
export const connections: Layer.Layer<
  PgClient.PgClient | SqlClient.SqlClient,
  CommandFailed | EmbeddedPostgresError | SqlError.SqlError,
  Settings
> = Layer.unwrap(
  Effect.gen(function* () {
    const { dataDir, databaseUrl } = yield* Settings
    if (databaseUrl !== undefined) return Database.layer({ url: databaseUrl })
    yield* refuseMissing(dataDir)
    const embedded = yield* EmbeddedPostgres.acquire({ dataDir })
    return Database.layer({ url: embedded.url })
  })
)

const clicks = Layer.mergeAll(ClickStoreSql.layer, ClickArrivalsSql.layer, ClickAnalyticsSql.layer)

const tieredClicks = Layer.mergeAll(
  ClickStoreTiered.layer,
  ClickArrivalsTiered.layer,
  ClickAnalyticsTiered.layer
).pipe(Layer.provide([clicks, Archive.tiers]))

/** The ports on the database, and on the archive if there is one. */
export const ports = Layer.mergeAll(
  withSettings(({ clickhouseUrl }): typeof clicks | typeof tieredClicks =>
    clickhouseUrl === undefined ? clicks : tieredClicks
  ),
  QuarantineSql.layer,
  LinkSecretSql.layer,
  ApiKeysSql.layer,
  SessionsSql.layer,
  TrustedOriginsSql.layer,
  StoresSql.layer,
  StorePayloadsSql.layer,
  TaskQueueSql.layer,
  CrawlSchedulesSql.layer,
  TaskKinds.layer
)

/** Where the data is, for messages. */
export const location = Effect.map(Settings, ({ dataDir, databaseUrl }) =>
  databaseUrl === undefined ? `embedded, in ${dataDir}` : "DATABASE_URL"
)

/** Warns if the applied migrations include the first, because then the database is new: a setting may be misspelt. */
export const warnIfNew = Effect.fnUntraced(function* (applied: ReadonlyArray<string>) {
  if (applied[0]?.startsWith("1 ") !== true) return
  yield* Effect.logWarning(`Created a new, empty database (${yield* location})`)
})

const unusable = Effect.fnUntraced(function* (cause: SqlError.SqlError) {
  return yield* new CommandFailed({ message: `Cannot use the database (${yield* location})`, cause })
})

/**
 * Prepares the database for the archive. Fails if clicks have moved to the archive and `CLICKHOUSE_URL` is not set: every result would
 * lack them.
 */
const useArchive = Effect.gen(function* () {
  const { clickhouseUrl } = yield* Settings
  if (clickhouseUrl !== undefined) return yield* ArchiveSwitch.enable
  if (!(yield* ArchiveSwitch.isRequired)) return
  return yield* new CommandFailed({
    message: `Older clicks of the database (${yield* location}) are in ClickHouse. Set CLICKHOUSE_URL to its URL`
  })
}).pipe(Effect.catchTag("SqlError", unusable))

/**
 * Migrates the schema if needed and returns the applied migrations. Fails if PostgreSQL is too old or a newer version of Clicks
 * has migrated the database. Checks first whether a migration is needed: a read-only database user cannot migrate, and the check costs
 * less than a migration that changes nothing.
 */
export const migrateIfNeeded = Effect.gen(function* () {
  const { newerMigration, pendingMigrations, version } = yield* Effect.catch(databaseStatus, unusable)
  const isUsable = version.isSupported && newerMigration === undefined
  const applied = pendingMigrations.length > 0 || !isUsable ? yield* migrate : []
  yield* useArchive
  return applied
})

/** Connections to a database with the current schema. */
export const migrated = Layer.effectDiscard(Effect.flatMap(migrateIfNeeded, warnIfNew)).pipe(
  Layer.provideMerge(connections)
)

/** The ports of commands. Migrates an empty or older database first. */
export const layer = ports.pipe(Layer.provideMerge(migrated))
