import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Database from "../../src/Database.ts"
import * as EmbeddedPostgres from "../../src/embedded/EmbeddedPostgres.ts"
import { migrate } from "../../src/migrations/migrate.ts"
import { MadeFolder, query, quick } from "./embeddedProcesses.ts"

const acquire = Effect.flatMap(MadeFolder, (dataDir) =>
  EmbeddedPostgres.acquire({ dataDir, settings: quick })
)

layer(MadeFolder.layer, { excludeTestServices: true })("EmbeddedPostgres, its role", (it) => {
  it.effect("owns the database, creates the schema, and has no other privileges", () =>
    Effect.gen(function* () {
      const { url } = yield* acquire
      const attributes =
        "select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user"
      assert.deepStrictEqual(yield* query(url, attributes), [[false, false, false, false, false]])
      const owner = "select pg_get_userbyid(datdba)::text from pg_database where datname = current_database()"
      assert.deepStrictEqual(yield* query(url, owner), [["clicks"]])
      yield* migrate.pipe(Effect.provide(Database.layer({ url })))
      for (const statement of [
        "copy (select 1) to program 'true'",
        "select pg_read_file('PG_VERSION')",
        "alter system set fsync = off",
        "create role other superuser"
      ]) {
        const { reason } = yield* Effect.flip(query(url, statement))
        assert.strictEqual(reason._tag, "AuthorizationError", statement)
      }
    })
  )

  it.effect("is the only role with a password: the superuser cannot log in", () =>
    Effect.gen(function* () {
      const { url } = yield* acquire
      const superuser = new URL(Redacted.value(url))
      superuser.username = "postgres"
      const { reason } = yield* Effect.flip(query(Redacted.make(superuser.href), "select 1"))
      assert.strictEqual(reason._tag, "AuthenticationError")
    })
  )
})
