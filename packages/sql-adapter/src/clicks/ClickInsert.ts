import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { Uuid } from "@clicks/core/values/Uuid"
import { PgClient, PgTypes } from "@effect/sql-pg"
import { Effect, Result } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlError } from "effect/sql"
import * as CopyConnections from "../CopyConnections.ts"
import { columnNames, toColumns } from "./clickColumns.ts"
import { copyText } from "./copyText.ts"

type Batch = ReadonlyArray<ClickEvent>
type Added = Effect.Effect<ReadonlySet<Uuid>, SqlError.SqlError>

const byId = (a: ClickEvent, b: ClickEvent): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const copyStatement = `copy clicks (${columnNames.join(", ")}) from stdin`
const uniqueViolation = "23505"

const idsOf = (batch: Batch): ReadonlySet<Uuid> => new Set(batch.map(({ id }) => id))

// Two batches of single clicks, one of requests with many, one of the spool, and one to spare.
const maxConnections = 5

// Clicks that arrive do not wait until a listing leaves them its connection. And a plan serves all batches: made anew for each, it
// would take 70 of the 300 µs that the server spends on a batch of one. None is opened before a statement needs it, so nothing can fail here.
const connect = Effect.gen(function* () {
  const { config } = yield* PgClient.PgClient
  const startupParameters = { ...config.startupParameters, plan_cache_mode: "force_generic_plan" }
  return yield* PgClient.make({ ...config, maxConnections, startupParameters })
}).pipe(Effect.provide(Reactivity.layer), Effect.orDie)

/** Makes what stores a batch of clicks, all of it or nothing, and tells the ids that were new. */
export const make = Effect.fnUntraced(function* (leastCopied: number) {
  const sql = yield* connect
  const copyRows = yield* CopyConnections.make
  const columns = sql.csv(columnNames)

  const byStatement = (batch: Batch): Added =>
    // Rows a second into a table with seven indexes, one connection, two cores: unnest 3,000 / 38,000 / 52,000 in batches of
    // 1 / 50 / 500, json_to_recordset 3,000 / 30,000 / 34,000, jsonb_to_recordset 2,900 / 29,000 / 28,500.
    sql<{ readonly id: string }>`
      insert into clicks (${columns})
      select * from unnest(${sql.csv(toColumns(batch).map((column) => sql`${column}`))})
      on conflict (id) do nothing
      returning id`.pipe(Effect.map((added) => new Set(added.map((row) => row.id))))

  const storedOf = (batch: Batch): Added =>
    Effect.suspend(() => {
      const ids = PgTypes.array(
        batch.map(({ id }) => id),
        PgTypes.OID.uuid
      )
      return sql<{ readonly id: string }>`select id from clicks where id = any(${Result.getOrThrow(ids)})`
    }).pipe(Effect.map((found) => new Set(found.map((row) => row.id))))

  // A row that is stored already makes a COPY fail as a whole. As long as batches hold such rows they are looked for first.
  let expectsStored = false

  const unstored = Effect.fnUntraced(function* (batch: Batch) {
    const once = batch.filter(({ id }, index) => id !== batch[index - 1]?.id)
    if (!expectsStored) return once
    const stored = yield* storedOf(once)
    expectsStored = stored.size > 0
    return stored.size === 0 ? once : once.filter(({ id }) => !stored.has(id))
  })

  // COPY takes the rows or fails, and what its failure means is for the statement to find out: which rows are there already,
  // what is refused, whether the database is away. So nothing depends on COPY but the speed: 300,000 rows
  // cost the server 8 seconds of processor time, and 9 to 11 by the statement.
  const byCopy = Effect.fnUntraced(function* (batch: Batch, copy: CopyConnections.CopyRows) {
    const rows = yield* unstored(batch)
    const bytes = rows.length < leastCopied ? undefined : copyText(rows)
    if (bytes === undefined) return rows.length === 0 ? new Set<Uuid>() : yield* byStatement(rows)
    return yield* copy(copyStatement, bytes).pipe(
      Effect.map(() => idsOf(rows)),
      Effect.catch(({ code }) => {
        expectsStored ||= code === uniqueViolation
        return byStatement(rows)
      })
    )
  })

  return (batch: Batch): Added =>
    Effect.suspend(() => {
      // Batches that overlap take the rows in the same order, so that they wait for each other instead of locking up.
      const ordered = batch.toSorted(byId)
      return copyRows !== undefined && ordered.length >= leastCopied
        ? byCopy(ordered, copyRows)
        : byStatement(ordered)
    })
})
