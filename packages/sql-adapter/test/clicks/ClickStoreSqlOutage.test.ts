import { ClickStore } from "@clicks/core/clicks/ClickStore"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import * as ClickStoreSql from "../../src/clicks/ClickStoreSql.ts"
import * as Database from "../../src/Database.ts"
import * as DatabaseProxy from "../DatabaseProxy.ts"
import * as TestDatabase from "../TestDatabase.ts"
import { click, insert, list, stream } from "./someClicks.ts"

const throughProxy = ClickStoreSql.layer.pipe(
  Layer.provide(Layer.unwrap(DatabaseProxy.DatabaseProxy.useSync(({ url }) => Database.layer({ url })))),
  Layer.provideMerge(DatabaseProxy.layer),
  Layer.provideMerge(TestDatabase.layer)
)

layer(throughProxy, { excludeTestServices: true })("ClickStoreSql is unavailable, then works again", (it) => {
  const probe = Effect.asVoid(ClickStore.use((store) => store.insert([])))
  const all = [Effect.asVoid(insert(click())), probe, Effect.asVoid(list), Stream.runDrain(stream)]
  const unavailable = Effect.gen(function* () {
    for (const each of all) assert.strictEqual((yield* Effect.flip(each)).reason, "Unavailable")
  })
  const works = Effect.all(
    all.map((each) => Effect.retry(each, { while: (error) => error.isRetryable, times: 5 }))
  )
  const admin = (
    statement: (sql: SqlClient.SqlClient, database: string) => Effect.Effect<unknown, unknown>
  ) =>
    SqlClient.SqlClient.use((sql) =>
      sql<{ readonly name: string }>`select current_database() as name`.pipe(
        Effect.flatMap(([row]) => statement(sql, row?.name ?? ""))
      )
    )
  const reconnect = DatabaseProxy.DatabaseProxy.use((proxy) => Effect.andThen(proxy.stop, proxy.start))

  it.effect("when the server is stopped", () =>
    Effect.gen(function* () {
      const proxy = yield* DatabaseProxy.DatabaseProxy
      yield* works
      yield* proxy.stop
      yield* unavailable
      yield* proxy.start
      yield* works
    })
  )

  it.effect("when the database is read-only", () =>
    Effect.gen(function* () {
      yield* admin((sql, name) => sql`alter database ${sql(name)} set default_transaction_read_only = on`)
      yield* reconnect
      for (const each of [insert(click()), probe]) {
        const error = yield* Effect.flip(Effect.retry(Effect.asVoid(each), { times: 2 }))
        assert.strictEqual(error.reason, "Unavailable")
      }
      yield* admin((sql, name) =>
        sql.withTransaction(
          Effect.andThen(
            sql`set local transaction_read_only = off`,
            sql`alter database ${sql(name)} reset default_transaction_read_only`
          )
        )
      )
      yield* reconnect
      yield* works
    })
  )

  it.effect("when the table does not exist yet", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`alter table clicks rename to elsewhere`
      yield* unavailable
      yield* sql`alter table elsewhere rename to clicks`
      yield* works
    })
  )
})
