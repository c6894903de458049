import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "../../packages/sql-adapter/src/Database.ts"

/** An empty database on the server. */
export const freshDatabase = (server: string, name: string): Promise<string> => {
  const database = `bench_${name.replaceAll("-", "_")}`
  const url = new URL(server)
  url.pathname = `/${database}`
  return Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`drop database if exists ${sql(database)} with (force)`
    yield* sql`create database ${sql(database)}`
    return url.href
  }).pipe(Effect.provide(Database.layer({ url: Redacted.make(server) })), Effect.runPromise)
}
