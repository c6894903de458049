import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import type { Uuid } from "@clicks/core/values/Uuid"
import { PgClient, PgPool, type PgTypes } from "@effect/sql-pg"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import { columnNames, toColumns, toParameters } from "./clickColumns.ts"

type Batch = ReadonlyArray<ClickEvent>
type Added = Effect.Effect<ReadonlySet<Uuid>, SqlError.SqlError>

const byId = (a: ClickEvent, b: ClickEvent): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

const columns = columnNames.join(", ")
const parameters = columnNames.map((_, index) => `$${index + 1}`).join(", ")

const insertRow = `insert into clicks (${columns}) values (${parameters})`
// Unnested in the select list, because `from unnest(…)` first copies each array into its own tuple store, which takes 1 to 4 of the 30 to
// 55 µs per click.
const unnested = columnNames.map((_, index) => `unnest($${index + 1})`).join(", ")
const insertRows = `insert into clicks (${columns}) select ${unnested}`
const insertMissing = `${insertRows} on conflict (id) do nothing returning id`

const idsIn = (rows: ReadonlyArray<ReadonlyArray<unknown>>): ReadonlySet<Uuid> =>
  new Set(rows.map(([id]) => id as Uuid))

const idsOf = (batch: Batch): ReadonlySet<Uuid> => new Set(batch.map(({ id }) => id))

// Ids of version 7 are random, so they can exist already only if the batch was sent before. Ids of version 8 are derived from a key or an
// imported row.
const isFresh = (batch: Batch): boolean => batch.every(({ id }) => id[14] === "7")

// Three for batches of single clicks, one for requests with many clicks, one for the spool, and one spare.
const maxConnections = 6

// Uses its own connections, so that clicks do not wait for connections that listings hold, and so that one generic plan serves all batches:
// planning each batch takes 70 of the 300 µs that the server spends on a batch of one. Connections are opened when needed, so nothing fails
// here.
const connect = Effect.gen(function* () {
  const { config } = yield* PgClient.PgClient
  const startupParameters = { ...config.startupParameters, plan_cache_mode: "force_generic_plan" }
  return yield* PgPool.make({ ...config, maxConnections, startupParameters })
}).pipe(Effect.orDie)

/** Creates the function that stores a batch of clicks, all or none, and returns the new ids. */
export const make = Effect.gen(function* () {
  const pool = yield* connect

  // Uses the connection directly: the general SQL client takes 100 µs for each statement, whatever its size.
  const run = (statement: string, values: ReadonlyArray<PgTypes.Parameter>) =>
    pool.use((connection) => connection.queryValues(statement, values))

  const missing = (batch: Batch): Added => Effect.map(run(insertMissing, toColumns(batch)), idsIn)

  // If a batch contains a stored row, a plain insert fails as a whole and costs a second statement. A file that is imported again is full
  // of such rows. So after a batch with derived ids contained one, further batches with derived ids use "on conflict" immediately.
  let expectsStored = false

  const orMissing = (batch: Batch) => {
    expectsStored ||= !isFresh(batch)
    return missing(batch)
  }

  // Without "on conflict", a batch takes the server an eighth less time. With an archive, a trigger of the table (`enter_click_ledger`) may
  // skip rows with derived ids.
  const plain = (batch: Batch): Added => {
    const [first] = batch
    const fresh = isFresh(batch)
    const returning = fresh ? "" : " returning id"
    const rows =
      batch.length === 1 && first !== undefined
        ? run(insertRow + returning, toParameters(first))
        : run(insertRows + returning, toColumns(batch))
    return rows.pipe(
      Effect.map((found) => (fresh ? idsOf(batch) : idsIn(found))),
      Effect.catchIf(
        ({ reason }) => reason._tag === "UniqueViolation",
        () => orMissing(batch)
      )
    )
  }

  const careful = (batch: Batch): Added =>
    Effect.tap(missing(batch), (added) => {
      expectsStored = added.size < batch.length
      return Effect.void
    })

  return (batch: Batch): Added =>
    Effect.suspend(() => {
      // Sorted by id, so that overlapping batches wait for each other instead of deadlocking.
      const ordered = batch.toSorted(byId)
      return expectsStored && !isFresh(ordered) ? careful(ordered) : plain(ordered)
    })
})
