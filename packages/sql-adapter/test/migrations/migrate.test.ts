import { assert, describe, expect, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Database from "../../src/Database.ts"
import { migrate, migrateWith } from "../../src/migrations/migrate.ts"
import { type Migrations, migrations } from "../../src/migrations/migrations.ts"
import * as TestDatabase from "../TestDatabase.ts"
import { schemaDump } from "./schemaDump.ts"

const names = Object.keys(migrations)
const index = "index clicks_by_arrival"
const made = [...names.map((name) => name.replace(/^0*(\d+)_/, "$1 ")), index]

const tables = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`
  return rows.map((row) => row.name)
})

const statement = (
  run: (sql: SqlClient.SqlClient) => Effect.Effect<unknown, SqlErrorLike>
): Migrations[string] => SqlClient.SqlClient.use((sql) => Effect.asVoid(run(sql)))
type SqlErrorLike = Effect.Error<Migrations[string]>

/** The same database with other connections, like another process. */
const elsewhere = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  TestDatabase.TestDatabase.use(({ url }) =>
    effect.pipe(Effect.provide(Layer.fresh(Database.layer({ url })), { local: true }))
  )

describe("the list of migrations", () => {
  layer(TestDatabase.layer)((it) => {
    it.effect("produces schema.sql; update it with `vitest -u` on this file after a new migration", () =>
      Effect.gen(function* () {
        const dump = yield* schemaDump
        yield* Effect.promise(() => expect(dump).toMatchFileSnapshot("../../schema.sql"))
      })
    )
  })

  layer(TestDatabase.layer)((it) => {
    it.effect("is numbered without gaps", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ readonly migration_id: number }>`
          select migration_id from clicks_migrations order by migration_id`
        assert.deepStrictEqual(
          rows.map((row) => row.migration_id),
          names.map((_, index) => index + 1)
        )
      })
    )
  })
})

layer(TestDatabase.layerEmpty, { excludeTestServices: true })("migrate, on a new database", (it) => {
  it.effect("applies each migration once when several processes start together", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.all(
        Array.from({ length: 6 }, () => elsewhere(migrate)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        answers.filter((answer) => answer.length > 0),
        [made]
      )
      assert.include(yield* tables, "clicks")
    })
  )

  it.effect("changes nothing when it runs again", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* migrate, [])
    })
  )
})

layer(TestDatabase.layerEmpty)("migrate, from an earlier version", (it) => {
  it.effect("applies only the missing migrations", () =>
    Effect.gen(function* () {
      const later = statement((sql) => sql`create table later ()`)
      assert.deepStrictEqual(yield* migrate, made)
      assert.deepStrictEqual(yield* migrateWith({ ...migrations, "0002_later": later }), ["2 later"])
    })
  )
})

const broken = statement((sql) => Effect.andThen(sql`create table half ()`, sql`select * from nowhere`))

layer(TestDatabase.layerEmpty)("migrate, when a migration fails", (it) => {
  it.effect("rolls it back and reports why", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(migrateWith({ ...migrations, "0099_broken": broken }))
      assert.strictEqual(error.message, 'Migration "0099_broken" failed: relation "nowhere" does not exist')
      assert.notInclude(yield* tables, "half")
      assert.deepStrictEqual(yield* migrate, [index])
    })
  )
})

layer(TestDatabase.layerEmpty)("migrate, when other sessions hold a lock", (it) => {
  it.effect("retries, and logs once when that begins and once when it ends", () =>
    Effect.gen(function* () {
      let attempts = 0
      const blockedTwice = statement((sql) =>
        Effect.suspend(() =>
          ++attempts < 3
            ? sql`do $$ begin raise exception 'blocked' using errcode = '55P03'; end $$`
            : sql`select`
        )
      )
      const log: Array<unknown> = []
      const logger = Logger.layer([Logger.make(({ message }) => void log.push(message))])
      const migrating = yield* Effect.forkChild(
        Effect.provide(migrateWith({ ...migrations, "0002_later": blockedTwice }), logger)
      )
      const sql = yield* SqlClient.SqlClient
      yield* Effect.andThen(TestClock.adjust("2 seconds"), sql`select`).pipe(
        Effect.repeat({ until: () => migrating.pollUnsafe() !== undefined })
      )
      assert.include(yield* Fiber.join(migrating), "2 later")
      assert.strictEqual(attempts, 3)
      assert.deepStrictEqual(log, [
        ["Migration is blocked by a lock of another session; retrying until it is free"],
        ["Migration is no longer blocked"]
      ])
    })
  )
})

layer(TestDatabase.layerEmpty)("migrate, when the connection breaks", (it) => {
  it.effect("reports it, and retries that migration the next time", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        migrateWith({
          "0001_cut_off": statement((sql) => sql`select pg_terminate_backend(pg_backend_pid())`)
        })
      )
      assert.match(error.message, /^Migration .*failed: /)
      assert.deepStrictEqual(yield* migrate, made)
    })
  )
})

layer(TestDatabase.layer)("migrate, on a database of a newer version", (it) => {
  it.effect("rejects it with advice", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into clicks_migrations (migration_id, name) values (4711, 'from_the_future')`
      const error = yield* Effect.flip(migrate)
      assert.strictEqual(
        error.message,
        `The database has migration 4711 (from_the_future), but this version knows ${names.length}: ` +
          "a newer version of Clicks created it. Use that version, or another database"
      )
    })
  )
})

layer(Database.layer({ url: Redacted.make("postgres://postgres@127.0.0.1:1/clicks") }))(
  "migrate, without a database",
  (it) => {
    it.effect("reports that it is unreachable", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(migrate)
        assert.strictEqual(error.message, "Migration failed: connect ECONNREFUSED 127.0.0.1:1")
      })
    )
  }
)
