import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { suite } from "../../../core/test/contract/access/ApiKeysContract.ts"
import * as ApiKeysSql from "../../src/access/ApiKeysSql.ts"
import * as Database from "../../src/Database.ts"
import * as TestDatabase from "../TestDatabase.ts"

suite("PostgreSQL", ApiKeysSql.layer.pipe(Layer.provide(TestDatabase.layer)))

const create = ApiKeys.use((keys) => keys.create({ user_id: "u-1", role: "reader", name: null }))
const verify = (secret: Redacted.Redacted) => ApiKeys.use((keys) => keys.verify(secret))

/** Changes with each write to the key's row. */
const version = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{
    readonly version: string
  }>`select xmin::text as version from api_keys where id = ${id}`
  return rows[0]?.version
})

layer(ApiKeysSql.layer.pipe(Layer.provideMerge(TestDatabase.layer)))("ApiKeysSql", (it) => {
  it.effect("records the use of a key at most once a minute, so that requests rarely write", () =>
    Effect.gen(function* () {
      const { key, secret } = yield* create
      const versions = [yield* version(key.id)]
      for (let second = 0; second <= 120; second += 10) {
        yield* verify(secret)
        versions.push(yield* version(key.id))
        yield* TestClock.adjust("10 seconds")
      }
      assert.strictEqual(new Set(versions).size, 4)
    })
  )

  it.effect("sends one statement for a key that was used within the minute", () =>
    Effect.gen(function* () {
      const { secret } = yield* create
      yield* verify(secret)
      let statements = 0
      yield* verify(secret).pipe(
        Effect.provideService(Statement.CurrentTransformer, (statement) =>
          Effect.sync(() => {
            statements++
            return statement
          })
        )
      )
      assert.strictEqual(statements, 1)
    })
  )

  it.effect("does not store the secret in the table", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { secret } = yield* create
      const rows = yield* sql<{ readonly row: string }>`select api_keys::text as row from api_keys`
      assert.notInclude(rows.map(({ row }) => row).join(), Redacted.value(secret).slice(4))
    })
  )

  it.effect("verifies keys while the database is read-only", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { url } = yield* TestDatabase.TestDatabase
      const { secret } = yield* create
      const [row] = yield* sql<{ readonly name: string }>`select current_database() as name`
      yield* sql`alter database ${sql(row?.name ?? "")} set default_transaction_read_only = on`
      const readOnly = ApiKeysSql.layer.pipe(Layer.provide(Database.layer({ url })))
      const found = yield* verify(secret).pipe(Effect.provide(readOnly, { local: true }))
      assert.isTrue(Option.isSome(found))
    })
  )

  it.effect("fails when the database is down", () =>
    Effect.gen(function* () {
      const nowhere = Redacted.make("postgres://postgres@127.0.0.1:1/clicks")
      const error = yield* verify(Redacted.make("clk_any")).pipe(
        Effect.flip,
        Effect.provide(ApiKeysSql.layer.pipe(Layer.provide(Database.layer({ url: nowhere }))), {
          local: true
        })
      )
      assert.strictEqual(error.message, "The API keys cannot be reached (verify)")
    })
  )
})
