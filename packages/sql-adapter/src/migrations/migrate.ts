import { Effect, Schema } from "effect"
import { Migrator, SqlClient, SqlError } from "effect/sql"
import { transaction } from "../transaction.ts"
import { type Migrations, migrations } from "./migrations.ts"

/** The schema could not be brought up to date; nothing was changed. `message` says why, for an operator. */
export class MigrationError extends Schema.TaggedError<MigrationError>()("MigrationError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

const table = "clicks_migrations"

// Any number that nothing else in the database locks; the digits spell "clicks" on a telephone.
const lock = 254257

const newestKnown = (known: Migrations): number =>
  Math.max(0, ...Object.keys(known).map((name) => Number.parseInt(name, 10)))

const refuseNewer = Effect.fnUntraced(function* (known: Migrations) {
  const sql = yield* SqlClient.SqlClient
  const [newest] = yield* sql<{ readonly migration_id: number; readonly name: string }>`
    select migration_id, name from ${sql(table)} order by migration_id desc limit 1`
  const ours = newestKnown(known)
  if (newest === undefined || newest.migration_id <= ours) return
  return yield* new MigrationError({
    message:
      `The database has migration ${newest.migration_id} (${newest.name}), this program knows ${ours}: ` +
      "a newer version of Clicks made it. Start that version, or give this one a database of its own"
  })
})

const reason = (cause: unknown): string => {
  if (!SqlError.isSqlError(cause)) return String(cause)
  const { reason } = cause
  return reason.cause instanceof Error ? reason.cause.message : reason._tag
}

const explain = (error: MigrationError | Migrator.MigrationError | SqlError.SqlError): MigrationError => {
  if (error instanceof MigrationError) return error
  const what = SqlError.isSqlError(error) ? "The database cannot be migrated" : error.message
  const why = SqlError.isSqlError(error) ? reason(error) : reason(error.cause)
  return new MigrationError({ message: `${what}: ${why}`, cause: error })
}

/** `migrate` with a list of one's own: a part of it makes the schema of an earlier version. */
export const migrateWith = (
  known: Migrations
): Effect.Effect<ReadonlyArray<string>, MigrationError, SqlClient.SqlClient> => {
  const run = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`set local statement_timeout = 0`
    // Migrator locks its table, but only once there is one: two processes may still make it at the same time.
    yield* sql`select pg_advisory_xact_lock(${lock})::text`
    const applied = yield* Migrator.make({})({ loader: Migrator.fromRecord(known), table })
    yield* refuseNewer(known)
    return applied.map(([id, name]) => `${id} ${name}`)
  })
  return SqlClient.SqlClient.use((sql) => transaction(sql, run)).pipe(Effect.mapError(explain))
}

/**
 * Brings the schema up to date and returns the changes that were made. All are made or none; processes that migrate at once
 * wait for each other. Fails when the database cannot be reached or was made by a newer version.
 */
export const migrate = migrateWith(migrations)
