import type { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { baseline } from "./0001_baseline.ts"

/** Changes of the schema by `<number>_<name>`. */
export type Migrations = Readonly<Record<string, Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>>>

export const numberOf = (name: string): number => Number.parseInt(name, 10)

/**
 * All changes of the schema, in order. A released migration never changes; the next one corrects it. Write one statement per template.
 * Each migration is a transaction and holds its locks to the end, so on a table that may be large it creates no index (list it in
 * `concurrentIndexes`) and rewrites no rows.
 */
export const migrations: Migrations = { "0001_baseline": baseline }
