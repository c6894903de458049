import { migrate } from "@clicks/sql-adapter/migrations/migrate"
import { Effect } from "effect"
import { exitCodes } from "../CommandError.ts"
import * as Database from "../Database.ts"
import * as Output from "../terminal/Output.ts"

/** `clicks migrate`: brings the schema up to date and does nothing else. */
export const migrateDatabase = Effect.fn("migrateDatabase")(function* ({
  json
}: {
  readonly json?: boolean
}) {
  const applied = yield* migrate.pipe(Effect.provide(Database.connections))
  if (json) yield* Output.json({ applied })
  else if (applied.length === 0) yield* Output.note("The schema is up to date")
  else yield* Output.write(applied.map((change) => `${change}\n`).join(""))
  return exitCodes.done
}, Database.creating)
