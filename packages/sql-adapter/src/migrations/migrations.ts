import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { baseline } from "./0001_baseline.ts"

/** Changes of the schema by `<number>_<name>`. */
export type Migrations = Readonly<Record<string, Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>>>

export const numberOf = (name: string): number => Number.parseInt(name, 10)

/**
 * All changes of the schema, in order. Never change a released migration; correct it with another one. Write one statement per template.
 * Each migration is a transaction and holds its locks until it ends. So, on a table that may be large, a migration must not create an index
 * (list it in `concurrentIndexes`) or rewrite rows.
 */
export const migrations: Migrations = { "0001_baseline": baseline }
