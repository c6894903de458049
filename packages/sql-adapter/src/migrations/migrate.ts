import { Effect, Schedule, Schema, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { newestMigration, server, tooOld } from "../DatabaseStatus.ts"
import { transaction } from "../transaction.ts"
import { type MissingIndex, missingIndexes } from "./concurrentIndexes.ts"
import { type Migrations, migrations, numberOf } from "./migrations.ts"
import { lockTimeout, whileLocked } from "./whileLocked.ts"

/** The schema could not be brought up to date. The migrations before the failed one are applied. `message` is for an operator. */
export class MigrationError extends Schema.TaggedError<MigrationError>()("MigrationError", {
  message: Schema.String,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

const failed = (what: string) => (error: SqlError.SqlError) => {
  const { _tag, cause } = error.reason
  const why = cause instanceof Error ? cause.message : _tag
  return new MigrationError({ message: `${what}: ${why}`, cause: error })
}

/** Runs a statement outside any transaction. */
type Run = (statement: string) => Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>

// An arbitrary number that nothing else in the database locks; on a telephone keypad, its digits spell "clicks".
const lock = 254257

const isHeld = (row: unknown): boolean =>
  typeof row === "object" && row !== null && "held" in row && row.held === true

/**
 * Keeps other processes from migrating while the scope is open. The connection that holds the lock runs the statements that cannot be in a
 * transaction, so that the lock lasts as long as the server executes them, even if this process is killed.
 */
const holdLock: Effect.Effect<Run, SqlError.SqlError, Scope.Scope | SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const connection = yield* sql.reserve
    const run: Run = (statement) => connection.executeUnprepared(statement, [], undefined)
    yield* Effect.addFinalizer(() =>
      Effect.ignore(Effect.andThen(run(`select pg_advisory_unlock(${lock})`), run("reset statement_timeout")))
    )
    yield* run("set statement_timeout = 0")
    // Waiting inside a statement would hold a snapshot, and building an index concurrently waits for every snapshot.
    yield* run(`select pg_try_advisory_lock(${lock}) as held`).pipe(
      Effect.repeat({ until: ([row]) => isHeld(row), schedule: Schedule.spaced("100 millis") })
    )
    return run
  }
)

// Each migration runs in its own transaction, which releases its locks before the next one.
const apply = Effect.fnUntraced(function* ([name, change]: [string, Migrations[string]]) {
  const sql = yield* SqlClient.SqlClient
  const [id, title] = [numberOf(name), name.replace(/^\d+_/, "")]
  yield* transaction(
    sql,
    Effect.gen(function* () {
      yield* sql`set local statement_timeout = 0`
      yield* sql`set local lock_timeout = ${sql.literal(`'${lockTimeout}'`)}`
      yield* change
      yield* sql`insert into clicks_migrations (migration_id, name) values (${id}, ${title})`
    })
  ).pipe(whileLocked, Effect.mapError(failed(`Migration "${name}" failed`)))
  return `${id} ${title}`
})

const createTable = `create table if not exists clicks_migrations (
  migration_id integer primary key, created_at timestamptz not null default now(), name text not null)`

const build = Effect.fnUntraced(function* ({ isBroken, name, on }: MissingIndex, run: Run) {
  if (isBroken) yield* run(`drop index concurrently if exists ${name}`)
  yield* run(`create index concurrently ${name} on ${on}`)
  return `index ${name}`
})

/** `migrate` with another list of migrations: a part of the list creates the schema of an earlier version. */
export const migrateWith = (
  known: Migrations
): Effect.Effect<ReadonlyArray<string>, MigrationError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const { version } = yield* server
    if (!version.isSupported) return yield* new MigrationError({ message: tooOld(version) })
    const run = yield* holdLock
    const newest = yield* newestMigration
    const newestKnown = Math.max(0, ...Object.keys(known).map(numberOf))
    if (newest !== undefined && newest.id > newestKnown) {
      return yield* new MigrationError({
        message:
          `The database has migration ${newest.id} (${newest.name}), but this version knows ${newestKnown}: ` +
          "a newer version of Clicks created it. Use that version, or another database"
      })
    }
    if (newest === undefined) yield* run(createTable)
    const pending = Object.entries(known).filter(([name]) => numberOf(name) > (newest?.id ?? 0))
    const applied = yield* Effect.forEach(pending, apply)
    const built = Effect.flatMap(missingIndexes, (missing) =>
      Effect.forEach(missing, (index) => build(index, run))
    )
    return [...applied, ...(yield* whileLocked(built))]
  }).pipe(Effect.scoped, Effect.catchTag("SqlError", failed("Migration failed")))

/**
 * Brings the schema up to date and returns the changes that were made. Changes are applied one after another, each as a whole or not at
 * all, so that readers and recorders wait only moments for any of them. Processes that migrate at the same time wait for each other. Fails
 * if the database cannot be reached, runs a PostgreSQL older than `oldestSupported`, or was migrated by a newer version.
 */
export const migrate = migrateWith(migrations)
