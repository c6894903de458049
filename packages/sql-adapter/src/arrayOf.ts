import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"

type Type = keyof typeof PgTypes.OID

/** An array parameter. Throws if a value has another type. */
export const arrayOf = (type: Type, values: ReadonlyArray<unknown>): PgTypes.Parameter =>
  Result.getOrThrow(PgTypes.array(values, PgTypes.OID[type]))

/** Converts rows to columns for `unnest`: an array parameter for each name, in the order of the names. */
export const columnsOf = <Name extends string>(
  types: Readonly<Record<Name, Type>>,
  rows: ReadonlyArray<Readonly<Record<Name, unknown>>>
): ReadonlyArray<PgTypes.Parameter> =>
  (Object.keys(types) as Array<Name>).map((name) =>
    arrayOf(
      types[name],
      rows.map((row) => row[name])
    )
  )
