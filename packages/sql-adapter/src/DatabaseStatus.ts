import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { missingIndexes } from "./migrations/concurrentIndexes.ts"
import { migrations, numberOf } from "./migrations/migrations.ts"

// The schema needs xid8, which PostgreSQL 13 introduced. The community no longer supports 13.
/** The oldest major version of PostgreSQL that Clicks works with. */
export const oldestSupported = 14

export interface ServerVersion {
  /** Such as 18.4. */
  readonly text: string
  readonly isSupported: boolean
}

/** The state of a database. Reading it changes nothing. */
export interface DatabaseStatus {
  readonly version: ServerVersion
  /** The server's clock during the request. */
  readonly now: Date
  /** The migrations, such as 0003_api_keys, and the indexes that the database lacks. */
  readonly pendingMigrations: ReadonlyArray<string>
  /** The number of the newest migration if a newer version of Clicks applied it; undefined if this version knows it. */
  readonly newerMigration: number | undefined
}

/** Succeeds if the database answers. */
export const ping: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = SqlClient.SqlClient.use(
  (sql) => Effect.asVoid(sql`select 1 as one`)
)

/** The server's clock and version. */
export const server = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly now: Date; readonly text: string; readonly number: string }>`
    select clock_timestamp() as now, current_setting('server_version') as text,
      current_setting('server_version_num') as number`
  const { now, number, text } = row ?? { now: new Date(0), number: 0, text: "unknown" }
  const version: ServerVersion = { text, isSupported: Number(number) >= oldestSupported * 10_000 }
  return { now, version }
})

/** The error message for a version that is not supported. */
export const tooOld = ({ text }: ServerVersion): string =>
  `PostgreSQL ${text} is too old. Clicks requires PostgreSQL ${oldestSupported} or newer`

/** The newest migration that the database has. */
export const newestMigration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly exists: boolean }>`
    select to_regclass('clicks_migrations') is not null as exists`
  if (found?.exists !== true) return undefined
  const [newest] = yield* sql<{ readonly id: number; readonly name: string }>`
    select migration_id as id, name from clicks_migrations order by migration_id desc limit 1`
  return newest
})

export const databaseStatus: Effect.Effect<DatabaseStatus, SqlError.SqlError, SqlClient.SqlClient> =
  Effect.gen(function* () {
    const newest = (yield* newestMigration)?.id ?? 0
    const missing = yield* missingIndexes
    const names = Object.keys(migrations)
    return {
      ...(yield* server),
      pendingMigrations: [
        ...names.filter((name) => numberOf(name) > newest),
        ...missing.map(({ name }) => name)
      ],
      newerMigration: newest > Math.max(...names.map(numberOf)) ? newest : undefined
    }
  })
