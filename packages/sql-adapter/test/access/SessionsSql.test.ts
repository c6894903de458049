import { Sessions } from "@clicks/core/access/Sessions"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { suite } from "../../../core/test/contract/access/SessionsContract.ts"
import * as ApiKeysSql from "../../src/access/ApiKeysSql.ts"
import * as SessionsSql from "../../src/access/SessionsSql.ts"
import * as TestDatabase from "../TestDatabase.ts"

suite("PostgreSQL", Layer.merge(SessionsSql.layer, ApiKeysSql.layer).pipe(Layer.provide(TestDatabase.layer)))

layer(SessionsSql.layer.pipe(Layer.provideMerge(TestDatabase.layer)))("SessionsSql", (it) => {
  it.effect("does not store the token in the table", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { token } = yield* Sessions.use((sessions) => sessions.begin("session", "some key"))
      const rows = yield* sql<{ readonly row: string }>`select sessions::text as row from sessions`
      assert.lengthOf(rows, 1)
      assert.notInclude(rows.map(({ row }) => row).join(), Redacted.value(token))
    })
  )
})
