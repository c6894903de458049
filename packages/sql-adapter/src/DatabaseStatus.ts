import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { concurrentIndexes, missingIndexes } from "./migrations/concurrentIndexes.ts"
import { migrations } from "./migrations/migrations.ts"
import { type ServerVersion, serverVersion } from "./serverVersion.ts"

/** What a database says of itself. Reading it changes nothing. */
export interface DatabaseStatus {
  readonly version: ServerVersion
  /** The server's clock, between the moments before and after the question. */
  readonly now: Date
  /** Changes of the schema that this program knows and the database has not seen, such as 0003_api_keys, and indexes that it lacks. */
  readonly pendingMigrations: ReadonlyArray<string>
  /** The number of a change that the database has seen and this program does not know: a newer version made it. */
  readonly newerMigration: number | undefined
}

/** Whether the database answers. */
export const ping: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = SqlClient.SqlClient.use(
  (sql) => Effect.asVoid(sql`select 1 as one`)
)

/** The last change of the schema that the database has seen. */
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
    const sql = yield* SqlClient.SqlClient
    const version = yield* serverVersion
    const [server] = yield* sql<{ readonly now: Date }>`select clock_timestamp() as now`
    const newest = (yield* newestMigration)?.id ?? 0
    const missing = yield* missingIndexes(concurrentIndexes)
    const numbers = Object.keys(migrations).map((name) => Number.parseInt(name, 10))
    return {
      version,
      now: server?.now ?? new Date(0),
      pendingMigrations: [
        ...Object.keys(migrations).filter((name) => Number.parseInt(name, 10) > newest),
        ...missing.map(({ name }) => name)
      ],
      newerMigration: newest > Math.max(...numbers) ? newest : undefined
    }
  })
