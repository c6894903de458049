import { migrate } from "@clicks/sql-adapter/migrations/migrate"
import { Effect } from "effect"
import * as Database from "../Database.ts"
import * as Output from "../terminal/Output.ts"

/** `clicks migrate`: migrates the schema and does nothing else. */
export const migrateDatabase = Effect.fn("migrateDatabase")(function* ({ json }: Output.Format) {
  const applied = yield* migrate.pipe(Effect.provide(Database.connections))
  yield* Database.warnIfNew(applied)
  if (json) yield* Output.json({ applied })
  else if (applied.length === 0) yield* Output.note("The schema is up to date")
  else yield* Output.line(applied.join("\n"))
}, Database.creating)
