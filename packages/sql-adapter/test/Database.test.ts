import { assert, layer } from "@effect/vitest"
import { type Duration, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../src/Database.ts"
import { transaction } from "../src/transaction.ts"

import * as DatabaseProxy from "./DatabaseProxy.ts"
import * as TestDatabase from "./TestDatabase.ts"

const setting = Effect.fnUntraced(function* (name: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly value: string }>`select current_setting(${name}) as value`
  return rows[0]?.value
})

const one = SqlClient.SqlClient.use((sql) => sql<{ readonly one: number }>`select 1 as one`)

layer(TestDatabase.layerEmpty, { excludeTestServices: true })("Database", (it) => {
  it.effect("sets the parameters that the stores rely on, whatever the database's defaults are", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const name = (yield* sql<{ readonly name: string }>`select current_database() as name`)[0]?.name ?? ""
      yield* sql`alter database ${sql(name)} set timezone = 'Asia/Tokyo'`
      yield* sql`alter database ${sql(name)} set synchronous_commit = off`
      const { url } = yield* TestDatabase.TestDatabase
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* setting("timezone"), "UTC")
        assert.strictEqual(yield* setting("synchronous_commit"), "on")
        assert.strictEqual(yield* setting("application_name"), "clicks-test")
        assert.strictEqual(yield* setting("statement_timeout"), "1500ms")
      }).pipe(
        Effect.provide(
          Database.layer({ url, applicationName: "clicks-test", statementTimeout: "1500 millis" }),
          { local: true }
        )
      )
    })
  )

  it.effect("opens no more connections than the limit", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      const connections = SqlClient.SqlClient.use(
        (sql) => sql<{ readonly pid: number }>`select pg_backend_pid() as pid, pg_sleep(0.01)::text`
      )
      const pids = yield* Effect.all(
        Array.from({ length: 20 }, () => connections),
        { concurrency: "unbounded" }
      ).pipe(Effect.provide(Database.layer({ url, maxConnections: 3 }), { local: true }))
      assert.strictEqual(new Set(pids.flat().map((row) => row.pid)).size, 3)
    })
  )

  it.effect("cancels a statement after the statement timeout", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase.TestDatabase
      const error = yield* SqlClient.SqlClient.use((sql) => sql`select pg_sleep(60)::text`).pipe(
        Effect.flip,
        Effect.provide(Database.layer({ url, statementTimeout: "50 millis" }), { local: true })
      )
      assert.strictEqual(error.reason._tag, "StatementTimeoutError")
    })
  )

  it.effect("fails a transaction whose connection is lost, and runs the next one", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const error = yield* Effect.flip(transaction(sql, sql`select pg_terminate_backend(pg_backend_pid())`))
      assert.strictEqual(error.reason._tag, "ConnectionError")
      assert.deepStrictEqual(yield* transaction(sql, one), [{ one: 1 }])
    })
  )
})

const away = Layer.unwrap(
  DatabaseProxy.DatabaseProxy.useSync(({ url }) => Database.layer({ url, maxConnections: 4 }))
).pipe(Layer.provideMerge(DatabaseProxy.layer), Layer.provide(TestDatabase.layerEmpty))

layer(away, { excludeTestServices: true })("Database, when the server goes away", (it) => {
  it.effect("fails at once, and works again after recovery", () =>
    Effect.gen(function* () {
      const proxy = yield* DatabaseProxy.DatabaseProxy
      const many = Effect.all([one, one, one, one, one], { concurrency: "unbounded" })
      yield* many
      for (let round = 0; round < 3; round++) {
        yield* proxy.stop
        const errors = yield* Effect.all(
          Array.from({ length: 8 }, () => Effect.flip(one)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          new Set(errors.map((error) => error.reason._tag)),
          new Set(["ConnectionError"])
        )
        yield* proxy.start
        yield* many
      }
    })
  )

  it.effect("fails a statement in progress", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const proxy = yield* DatabaseProxy.DatabaseProxy
      const running = yield* Effect.forkChild(Effect.flip(sql`select pg_sleep(60)::text`))
      yield* Effect.yieldNow.pipe(
        Effect.andThen(sql<{ readonly n: number }>`
          select count(*)::int as n from pg_stat_activity where datname = current_database() and query like 'select pg_sleep%' and state = 'active'`),
        Effect.repeat({ until: (rows) => rows[0]?.n === 1 })
      )
      yield* proxy.stop
      assert.strictEqual((yield* Fiber.join(running)).reason._tag, "ConnectionError")
      yield* proxy.start
      yield* Effect.eventually(one)
    })
  )

  it.effect("fails after the connect timeout if the server accepts connections but does not respond", () =>
    Effect.gen(function* () {
      const proxy = yield* DatabaseProxy.DatabaseProxy
      yield* proxy.freeze
      const ended: Array<string> = []
      const within = (connectTimeout: Duration.Input) =>
        one.pipe(
          Effect.flip,
          Effect.provide(Database.layer({ url: proxy.url, connectTimeout }), { local: true }),
          Effect.tap(({ message }) => Effect.sync(() => ended.push(`${connectTimeout}: ${message}`)))
        )
      yield* Effect.all([within("3 seconds"), within("300 millis")], { concurrency: 2 })
      const message = "PgConnection: Connection timed out"
      assert.deepStrictEqual(ended, [`300 millis: ${message}`, `3 seconds: ${message}`])
      yield* proxy.start
      yield* Effect.eventually(one)
    })
  )
})
