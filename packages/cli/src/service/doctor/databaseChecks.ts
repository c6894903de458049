import { Quarantine } from "@clicks/core/clicks/recording/Quarantine"
import * as QuarantineSql from "@clicks/sql-adapter/clicks/QuarantineSql"
import {
  type DatabaseStatus,
  databaseStatus,
  oldestSupported,
  ping,
  type ServerVersion,
  tooOld
} from "@clicks/sql-adapter/DatabaseStatus"
import { hasDatabase } from "@clicks/sql-adapter/embedded/DataFolder"
import { Cause, Clock, Effect, Option } from "effect"
import * as Database from "../../Database.ts"
import { describeFailure } from "../../process/describeFailure.ts"
import { Settings } from "../../settings/Settings.ts"
import { countOf } from "../../terminal/format.ts"
import { broken, type Finding, ok, warning } from "./Finding.ts"

const slowMillis = 100
const skewedMillis = 2000

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = performance.now()
    const value = yield* effect
    return { value, millis: performance.now() - before }
  })

const answerFinding = (version: ServerVersion, millis: number, place: string): Finding => {
  if (!version.isSupported) {
    const advice = `Upgrade the server to PostgreSQL ${oldestSupported} or newer, or set DATABASE_URL to another one`
    return broken("database", tooOld(version), advice)
  }
  const detail = `${place}, PostgreSQL ${version.text}, responds in ${millis.toFixed(1)} ms`
  return millis < slowMillis
    ? ok("database", detail)
    : warning("database", detail, "Check its load and the network")
}

const schemaFinding = ({ newerMigration, pendingMigrations }: DatabaseStatus): Finding => {
  if (newerMigration !== undefined) {
    return broken(
      "schema",
      `created by a newer version of Clicks (${newerMigration})`,
      "Use that version, or another database"
    )
  }
  return pendingMigrations.length === 0
    ? ok("schema", "up to date")
    : warning(
        "schema",
        `pending migrations: ${pendingMigrations.join(", ")}`,
        'Run "clicks migrate", or any other command that uses the database'
      )
}

const clockFinding = (skewMillis: number): Finding => {
  const detail = `${Math.abs(skewMillis / 1000).toFixed(1)} s ${skewMillis < 0 ? "behind" : "ahead of"} the database's`
  return Math.abs(skewMillis) < skewedMillis
    ? ok("clock", detail)
    : warning("clock", detail, "Synchronise both clocks with NTP")
}

const quarantineFinding = (count: number, now: string): Finding =>
  count === 0
    ? ok("quarantine", "empty")
    : warning(
        "quarantine",
        `${countOf(count, "original")} of clicks with invalid values`,
        `See them with "clicks quarantine list", then delete them with "clicks quarantine clear --before ${now}"`
      )

const ask = Effect.gen(function* () {
  const { databaseUrl } = yield* Settings
  const { value: status } = yield* timed(databaseStatus)
  const { millis } = yield* timed(ping)
  const now = yield* Clock.currentTimeMillis
  const place = Option.isSome(databaseUrl) ? "DATABASE_URL" : "embedded"
  const answer = answerFinding(status.version, millis, place)
  if (!status.version.isSupported) return [answer]
  const findings = [answer, schemaFinding(status), clockFinding(now - status.now.getTime())]
  if (status.pendingMigrations.length > 0) return findings
  const count = yield* Quarantine.use((quarantine) => quarantine.count).pipe(
    Effect.provide(QuarantineSql.layer)
  )
  return [...findings, quarantineFinding(count, new Date(now).toISOString())]
})

const unreachable = (cause: Cause.Cause<unknown>) =>
  Effect.map(Settings, ({ databaseUrl }): ReadonlyArray<Finding> => {
    const advice = Option.isSome(databaseUrl)
      ? "Check that the server is running and that DATABASE_URL is correct"
      : "Check the data folder; see postgres.log in it"
    return [broken("database", describeFailure(cause), advice)]
  })

const checked = ask.pipe(
  Effect.provide(Database.connections),
  Effect.catchCause((cause) => (Cause.hasInterrupts(cause) ? Effect.failCause(cause) : unreachable(cause)))
)

/**
 * The database with its schema, clock and quarantine. Starts the embedded one where it does not run; creates none and changes
 * nothing in it.
 */
export const databaseChecks = Effect.gen(function* () {
  const { dataDir, databaseUrl } = yield* Settings
  if (Option.isSome(databaseUrl) || hasDatabase(dataDir)) return yield* checked
  const advice = 'Create one with "clicks start", or set CLICKS_DATA_DIR or DATABASE_URL to an existing one'
  return [warning("database", `none in ${dataDir}`, advice)]
})
