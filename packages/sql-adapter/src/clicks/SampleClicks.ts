import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { transaction } from "../transaction.ts"

// "demo" in ASCII, version 8. Other clicks have no such ids: ids of recorded clicks are of version 7 or derived from a digest, and only one
// digest in 2^74 begins like this. An export keeps ids, so sample clicks that are exported and imported again remain sample clicks.
const prefix = "64656d6f-0000-8000-8000-"

/** The id of a sample click by its number, from 0. The id alone distinguishes sample clicks from others, whatever their fields. */
export const sampleId = (number: number): string => prefix + number.toString(16).padStart(12, "0")

/** The ids that sample clicks can have. */
export const ids = { first: `${prefix}000000000000`, last: `${prefix}ffffffffffff` }

const { first, last } = ids

/** The number of stored sample clicks. */
export const count: Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly n: number }>`
    select count(*)::integer as n from clicks where id between ${first}::uuid and ${last}::uuid`
  return row?.n ?? 0
}).pipe(Effect.withSpan("SampleClicks.count"))

// A step takes a few tenths of a second, like those of `ClickRetention`.
const step = 5_000

const removeStep = SqlClient.SqlClient.use((sql) =>
  transaction(
    sql,
    // The trigger that subtracts the clicks from the counts waits for a counting step, which may take long on a busy machine.
    Effect.andThen(
      sql`set local statement_timeout = 0`,
      sql`
        delete from clicks where id = any (array(
          select id from clicks where id between ${first}::uuid and ${last}::uuid order by id limit ${step}))
        returning 1`
    )
  )
).pipe(Effect.map((rows) => rows.length))

/** Deletes all sample clicks and no others, and returns their number. Totals stay exact throughout. */
export const remove: Effect.Effect<number, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(function* () {
  let removed = 0
  for (let rows = step; rows === step; removed += rows) rows = yield* removeStep
  return removed
}).pipe(Effect.withSpan("SampleClicks.remove"))
