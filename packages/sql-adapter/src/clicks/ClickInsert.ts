import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { Uuid } from "@clicks/core/values/Uuid"
import { PgClient, PgPool, type PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { arrayOf } from "../arrayOf.ts"
import * as CopyConnections from "../CopyConnections.ts"
import { columnNames, toColumns, toParameters } from "./clickColumns.ts"
import { copyText } from "./copyText.ts"

type Batch = ReadonlyArray<ClickEvent>
type Added = Effect.Effect<ReadonlySet<Uuid>, SqlError.SqlError>

const byId = (a: ClickEvent, b: ClickEvent): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const columns = columnNames.join(", ")
const parameters = columnNames.map((_, index) => `$${index + 1}`).join(", ")

const copyStatement = `copy clicks (${columns}) from stdin`
const insertRow = `insert into clicks (${columns}) values (${parameters})`
// Rows a second into a table with seven indexes, one connection, two cores: unnest 3,000 / 38,000 / 52,000 in batches of
// 1 / 50 / 500, json_to_recordset 3,000 / 30,000 / 34,000, jsonb_to_recordset 2,900 / 29,000 / 28,500.
const insertRows = `insert into clicks (${columns}) select * from unnest(${parameters})`
const insertMissing = `${insertRows} on conflict (id) do nothing returning id`
const selectStored = "select id from clicks where id = any($1)"

const uniqueViolation = "23505"

const idsOf = (batch: Batch): ReadonlySet<Uuid> => new Set(batch.map(({ id }) => id))

// Ids of version 7 are random: only a batch that is sent again can meet one of them. Those of version 8 follow from a key or an imported row.
const isFresh = (batch: Batch): boolean => batch.length > 0 && batch.every(({ id }) => id[14] === "7")

// Three batches of single clicks, one of requests with many, one of the spool, and one to spare.
const maxConnections = 6

// Clicks that arrive do not wait until a listing leaves them its connection. And a plan serves all batches: made anew for each, it
// would take 70 of the 300 µs that the server spends on a batch of one. None is opened before a statement needs it, so nothing can fail here.
const connect = Effect.gen(function* () {
  const { config } = yield* PgClient.PgClient
  const startupParameters = { ...config.startupParameters, plan_cache_mode: "force_generic_plan" }
  return yield* PgPool.make({ ...config, maxConnections, startupParameters })
}).pipe(Effect.orDie)

/** Makes what stores a batch of clicks, all of it or nothing, and tells the ids that were new. */
export const make = Effect.fnUntraced(function* (leastCopied: number) {
  const pool = yield* connect
  const copyRows = yield* CopyConnections.make

  // Straight on the connection: the general client takes 100 µs for each statement, whatever its size.
  const run = (statement: string, values: ReadonlyArray<PgTypes.Parameter>) =>
    pool.use((connection) => connection.queryValues(statement, values))

  const idsFrom = (rows: ReadonlyArray<ReadonlyArray<unknown>>) => new Set(rows.map(([id]) => id as Uuid))

  const missing = (batch: Batch): Added => Effect.map(run(insertMissing, toColumns(batch)), idsFrom)

  // Without looking for rows that are stored already, a batch takes the server an eighth less.
  const fresh = (batch: Batch): Added => {
    const [first] = batch
    const rows =
      batch.length === 1 && first !== undefined
        ? run(insertRow, toParameters(first))
        : run(insertRows, toColumns(batch))
    return rows.pipe(
      Effect.map(() => idsOf(batch)),
      Effect.catchIf(
        ({ reason }) => reason._tag === "UniqueViolation",
        () => missing(batch)
      )
    )
  }

  const byStatement = (batch: Batch): Added => (isFresh(batch) ? fresh(batch) : missing(batch))

  const storedOf = (batch: Batch): Added =>
    Effect.suspend(() => {
      const ids = batch.map(({ id }) => id)
      return Effect.map(run(selectStored, [arrayOf("uuid", ids)]), idsFrom)
    })

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
    if (bytes === undefined) return rows.length === 0 ? new Set<Uuid>() : yield* missing(rows)
    return yield* copy(copyStatement, bytes).pipe(
      Effect.map(() => idsOf(rows)),
      Effect.catch(({ code }) => {
        expectsStored ||= code === uniqueViolation
        return missing(rows)
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
