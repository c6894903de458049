import { randomUUID } from "node:crypto"
import type { PgClient } from "@effect/sql-pg"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { inject } from "vitest"
import * as Database from "../src/Database.ts"
import { type MigrationError, migrate } from "../src/migrations/migrate.ts"

/** A database for one test, dropped when its scope closes. */
export class TestDatabase extends Context.Service<TestDatabase, { readonly url: Redacted.Redacted }>()(
  "@clicks/sql-adapter/test/TestDatabase"
) {}

const template = "clicks_template"

// The role of Clicks, which is not a superuser, owns the databases. Here it logs in without a password.
const owner = "clicks"

const urlOf = (database: string, username = owner): Redacted.Redacted => {
  const url = new URL(inject("postgresUrl"))
  url.username = username
  url.pathname = `/${database}`
  return Redacted.make(url.href, { label: database })
}

// Sockets use real time, even in a test whose clock stands still.
const realTime = Layer.succeed(Clock.Clock, Clock.Clock.defaultValue())

const server = Database.layer({ url: Redacted.make(inject("postgresUrl")) }).pipe(Layer.provide(realTime))

const exists = Effect.fnUntraced(function* (database: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`select from pg_database where datname = ${database}`
  return rows.length > 0
})

// `create database` cannot run in a transaction, so another connection holds the lock.
const withLock = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  SqlClient.SqlClient.use((sql) =>
    sql.withTransaction(
      sql`select pg_advisory_xact_lock(1)::text`.pipe(
        Effect.andThen(effect.pipe(Effect.provide(Layer.fresh(server))))
      )
    )
  )

// The template gets its name when it is complete, so that an interrupted test run leaves no partial template.
const makeTemplate = Effect.gen(function* () {
  if (yield* exists(template)) return
  const sql = yield* SqlClient.SqlClient
  const unfinished = `${template}_unfinished`
  yield* sql`drop database if exists ${sql(unfinished)} with (force)`
  yield* sql`create database ${sql(unfinished)} owner ${sql(owner)}`
  yield* migrate.pipe(Effect.provide(Database.layer({ url: urlOf(unfinished) })))
  yield* sql`alter database ${sql(unfinished)} rename to ${sql(template)}`
})

const acquire = Effect.fnUntraced(function* (from: string, username = owner) {
  const sql = yield* SqlClient.SqlClient
  const name = `test_${randomUUID()}`
  yield* Effect.acquireRelease(
    // By default, each block of the copy is written to the WAL, which takes three times the processor time.
    sql`create database ${sql(name)} template ${sql(from)} owner ${sql(owner)} strategy file_copy`,
    () => Effect.orDie(sql`drop database ${sql(name)} with (force)`)
  )
  return TestDatabase.of({ url: urlOf(name, username) })
})

const connected: Layer.Layer<PgClient.PgClient | SqlClient.SqlClient, SqlError.SqlError, TestDatabase> =
  Layer.unwrap(TestDatabase.useSync(({ url }) => Database.layer({ url }))).pipe(Layer.provide(realTime))

const layerOf = (username: string) =>
  connected.pipe(
    Layer.provideMerge(
      Layer.effect(TestDatabase, withLock(makeTemplate).pipe(Effect.andThen(acquire(template, username))))
    ),
    Layer.provide(server)
  )

type Connected = TestDatabase | PgClient.PgClient | SqlClient.SqlClient

/** A database with the newest schema and no rows, and connections to it. A copy takes about 50 ms. */
export const layer: Layer.Layer<Connected, SqlError.SqlError | MigrationError> = layerOf(owner)

/** The same with a superuser's connections, for tests that create roles. */
export const layerSuperuser: Layer.Layer<Connected, SqlError.SqlError | MigrationError> = layerOf("postgres")

/** An empty database, without the schema. */
export const layerEmpty: Layer.Layer<Connected, SqlError.SqlError> = connected.pipe(
  Layer.provideMerge(Layer.effect(TestDatabase, acquire("template0"))),
  Layer.provide(server)
)
