import { Duration, Effect, Schedule, Schema } from "effect"
import { Migrator, SqlClient, SqlError } from "effect/sql"
import { newestMigration } from "../DatabaseStatus.ts"
import { serverVersion, tooOld } from "../serverVersion.ts"
import { transaction } from "../transaction.ts"
import { concurrentIndexes, type MissingIndex, missingIndexes } from "./concurrentIndexes.ts"
import * as MigrationLock from "./MigrationLock.ts"
import { type Migrations, migrations } from "./migrations.ts"

/** The schema could not be brought up to date; the changes before the one that failed are made. `message` says why, for an operator. */
export class MigrationError extends Schema.TaggedError<MigrationError>()("MigrationError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

const table = "clicks_migrations"

// Who waits for a table's lock keeps everybody waiting who comes later, and a reader may take hours (an export). So a change gives
// up soon, lets the others through, and tries again.
const lockTimeout = "1s"
const pause = Duration.seconds(2)

const numberOf = (name: string): number => Number.parseInt(name, 10)

const newestKnown = (known: Migrations): number => Math.max(0, ...Object.keys(known).map(numberOf))

const refuseNewer = (ours: number, newest: { readonly id: number; readonly name: string }) =>
  new MigrationError({
    message:
      `The database has migration ${newest.id} (${newest.name}), but this version knows ${ours}: ` +
      "a newer version of Clicks made it. Use that version, or another database"
  })

const reason = (cause: unknown): string => {
  if (!SqlError.isSqlError(cause)) return String(cause)
  const { reason } = cause
  return reason.cause instanceof Error ? reason.cause.message : reason._tag
}

const explain = (error: MigrationError | Migrator.MigrationError | SqlError.SqlError): MigrationError => {
  if (error instanceof MigrationError) return error
  const what = SqlError.isSqlError(error) ? "Migration failed" : error.message
  const why = SqlError.isSqlError(error) ? reason(error) : reason(error.cause)
  return new MigrationError({ message: `${what}: ${why}`, cause: error })
}

const isLocked = (error: Migrator.MigrationError | SqlError.SqlError): boolean => {
  const cause = SqlError.isSqlError(error) ? error : error.cause
  return SqlError.isSqlError(cause) && ["LockTimeoutError", "DeadlockError"].includes(cause.reason._tag)
}

const untilThrough = <A, R>(effect: Effect.Effect<A, Migrator.MigrationError | SqlError.SqlError, R>) => {
  let isTold = false
  const tell = Effect.suspend(() => {
    if (isTold) return Effect.void
    isTold = true
    return Effect.logWarning("Migration is blocked by a lock of another session; retrying")
  })
  return effect.pipe(
    Effect.tapError((error) => (isLocked(error) ? tell : Effect.void)),
    Effect.retry({ while: isLocked, schedule: Schedule.spaced(pause) })
  )
}

// A transaction of its own, so that what it locks is free again before the next change.
const make = ([name, change]: [string, Migrations[string]]) =>
  SqlClient.SqlClient.use((sql) =>
    transaction(
      sql,
      Effect.gen(function* () {
        yield* sql`set local statement_timeout = 0`
        yield* sql`set local lock_timeout = ${sql.literal(`'${lockTimeout}'`)}`
        return yield* Migrator.make({})({ loader: Migrator.fromRecord({ [name]: change }), table })
      })
    )
  ).pipe(
    untilThrough,
    Effect.map((applied) => applied.map(([id, what]) => `${id} ${what}`))
  )

const build = Effect.fnUntraced(function* ({ isBroken, name, on }: MissingIndex, run: MigrationLock.Run) {
  if (isBroken) yield* run(`drop index concurrently if exists ${name}`)
  yield* run(`create index concurrently ${name} on ${on}`)
  return `index ${name}`
})

const buildIndexes = (known: Migrations, run: MigrationLock.Run) =>
  missingIndexes(concurrentIndexes.filter(({ after }) => Object.hasOwn(known, after))).pipe(
    Effect.flatMap((missing) => Effect.forEach(missing, (index) => build(index, run))),
    untilThrough
  )

/** `migrate` with a list of one's own: a part of it makes the schema of an earlier version. */
export const migrateWith = (
  known: Migrations
): Effect.Effect<ReadonlyArray<string>, MigrationError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const version = yield* serverVersion
    if (!version.isSupported) return yield* new MigrationError({ message: tooOld(version) })
    const run = yield* MigrationLock.hold
    const newest = yield* newestMigration
    if (newest !== undefined && newest.id > newestKnown(known)) {
      return yield* refuseNewer(newestKnown(known), newest)
    }
    const pending = Object.entries(known).filter(([name]) => numberOf(name) > (newest?.id ?? 0))
    const made = yield* Effect.forEach(pending, make)
    return [...made.flat(), ...(yield* buildIndexes(known, run))]
  }).pipe(Effect.scoped, Effect.mapError(explain))

/**
 * Brings the schema up to date and returns the changes that were made: each whole or not at all, and one after the other, so
 * that readers and recorders wait for none of them longer than a moment. Processes that migrate at once wait for each other.
 * Fails when the database cannot be reached, runs a PostgreSQL older than `oldestSupported`, or was made by a newer version.
 */
export const migrate = migrateWith(migrations)
