import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { clicks, folderLayer } from "../clicks.ts"

/** Makes the test's database report another version, with a function that hides PostgreSQL's own. */
const reporting = (version: string, number: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [found] = yield* sql<{ readonly name: string }>`select current_database() as name`
    yield* sql`create schema old_server`
    yield* sql`
      create function old_server.current_setting(name text) returns text language sql as
      ${sql.literal(`$$ select case name when 'server_version' then '${version}' when 'server_version_num' then '${number}' end $$`)}`
    yield* sql`alter database ${sql(found?.name ?? "")} set search_path = old_server, pg_catalog, public`
  })

const stage = Layer.mergeAll(TestDatabase.layerEmpty, folderLayer)

const tooOld = "clicks: PostgreSQL 13.23 is too old. Clicks requires PostgreSQL 14 or newer\n"

describe("a PostgreSQL older than 14", () => {
  it.live("is rejected in one line by every command that uses it", () =>
    Effect.gen(function* () {
      yield* reporting("13.23", "130023")
      for (const args of [["start"], ["serve"], ["worker"], ["migrate"], ["list"]]) {
        const { code, stderr, stdout } = yield* clicks(args, { env: { PORT: "0" } })
        assert.deepStrictEqual([code, stderr, stdout], [1, tooOld, ""], args.join(" "))
      }
    }).pipe(Effect.provide(stage))
  )

  it.live("is reported as broken by doctor, with advice", () =>
    Effect.gen(function* () {
      yield* reporting("13.23", "130023")
      const { code, stdout } = yield* clicks(["doctor"], { env: { PORT: "0" } })
      assert.match(stdout, /^broken +database +PostgreSQL 13\.23 is too old.*\n +Upgrade the server/m)
      assert.notMatch(stdout, /^\w+ +schema/m)
      assert.strictEqual(code, 1)
    }).pipe(Effect.provide(stage))
  )

  it.live("is rejected, but 14 is accepted", () =>
    Effect.gen(function* () {
      yield* reporting("14.0", "140000")
      const { stdout } = yield* clicks(["doctor"], { env: { PORT: "0" } })
      assert.match(stdout, /^ok +database +.*PostgreSQL 14\.0, responds/m)
    }).pipe(Effect.provide(stage))
  )
})
