import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

/** An array parameter. Throws when a value is of another type. */
export const arrayOf = (type: keyof typeof PgTypes.OID, values: ReadonlyArray<unknown>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, PgTypes.OID[type]))
