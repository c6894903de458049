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
import { Cause, Clock, Duration, Effect } from "effect"
import * as Database from "../../Database.ts"
import { describeFailure } from "../../process/describeFailure.ts"
import { Settings } from "../../settings/Settings.ts"
import { countOf } from "../../terminal/format.ts"
import { archiveChecks } from "./archiveChecks.ts"
import { broken, type Finding, warningIf } from "./localChecks.ts"

const slowMillis = 100
const skewedMillis = 2000

const serverFinding = (version: ServerVersion, millis: number, place: string): Finding => {
  if (!version.isSupported) {
    const advice = `Upgrade the server to PostgreSQL ${oldestSupported} or newer, or set DATABASE_URL to another one`
    return broken("database", tooOld(version), advice)
  }
  const detail = `${place}, PostgreSQL ${version.text}, responds in ${millis.toFixed(1)} ms`
  return warningIf(millis >= slowMillis, "database", detail, "Check its load and the network")
}

const schemaFinding = ({ newerMigration, pendingMigrations }: DatabaseStatus): Finding => {
  if (newerMigration !== undefined) {
    const detail = `created by a newer version of Clicks (${newerMigration})`
    return broken("schema", detail, "Use that version, or another database")
  }
  const isPending = pendingMigrations.length > 0
  const detail = isPending ? `pending migrations: ${pendingMigrations.join(", ")}` : "up to date"
  const advice = 'Run "clicks migrate", or any other command that uses the database'
  return warningIf(isPending, "schema", detail, advice)
}

const clockFinding = (skewMillis: number): Finding => {
  const detail = `${Math.abs(skewMillis / 1000).toFixed(1)} s ${skewMillis < 0 ? "behind" : "ahead of"} the database's`
  const advice = "Synchronise both clocks with NTP"
  return warningIf(Math.abs(skewMillis) >= skewedMillis, "clock", detail, advice)
}

const quarantineFinding = (count: number, now: string): Finding => {
  const detail = count === 0 ? "empty" : `${countOf(count, "original")} of clicks with invalid values`
  const advice = `See them with "clicks quarantine list", then delete them with "clicks quarantine clear --before ${now}"`
  return warningIf(count > 0, "quarantine", detail, advice)
}

const inspect = Effect.gen(function* () {
  const { databaseUrl } = yield* Settings
  const status = yield* databaseStatus
  const [response] = yield* Effect.timed(ping)
  const now = yield* Clock.currentTimeMillis
  const place = databaseUrl === undefined ? "embedded" : "DATABASE_URL"
  const server = serverFinding(status.version, Duration.toMillis(response), place)
  if (!status.version.isSupported) return [server]
  const findings = [server, schemaFinding(status), clockFinding(now - status.now.getTime())]
  if (status.pendingMigrations.length > 0) return findings
  const count = yield* Quarantine.use((quarantine) => quarantine.count).pipe(
    Effect.provide(QuarantineSql.layer)
  )
  return [...findings, quarantineFinding(count, new Date(now).toISOString()), ...(yield* archiveChecks)]
})

/** The database with its schema, clock, quarantine and archive. Starts the embedded one if needed; creates and changes nothing. */
export const databaseChecks = Effect.gen(function* () {
  const { dataDir, databaseUrl } = yield* Settings
  if (databaseUrl === undefined && !hasDatabase(dataDir)) {
    const advice = 'Create one with "clicks start", or set CLICKS_DATA_DIR or DATABASE_URL to an existing one'
    return [warningIf(true, "database", `none in ${dataDir}`, advice)]
  }
  const advice =
    databaseUrl === undefined
      ? "Check the data folder; see postgres.log in it"
      : "Check that the server is running and that DATABASE_URL is correct"
  return yield* inspect.pipe(
    Effect.provide(Database.connections),
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterrupts(cause),
      (cause) => Effect.succeed([broken("database", describeFailure(cause), advice)])
    )
  )
})
