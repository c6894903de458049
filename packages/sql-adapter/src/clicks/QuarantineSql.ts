import { Quarantine, type QuarantinedClick } from "@clicks/core/clicks/recording/Quarantine"
import { portError } from "@clicks/core/values/PortError"
import { replaceUnstorable } from "@clicks/core/values/Text"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { arrayOf } from "../arrayOf.ts"

const toQuarantineError = portError("quarantine")

const before = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

// Batches that overlap take the rows in the same order, so that they wait for each other instead of locking up.
const inOrder = (entries: ReadonlyArray<QuarantinedClick>) =>
  entries.toSorted((a, b) => before(a.click_id, b.click_id) || before(a.reason, b.reason))

const toColumns = (entries: ReadonlyArray<QuarantinedClick>) => [
  arrayOf(
    "uuid",
    entries.map(({ click_id }) => click_id)
  ),
  arrayOf(
    "timestamptz",
    entries.map(({ received_at }) => received_at)
  ),
  arrayOf(
    "text",
    entries.map(({ reason }) => replaceUnstorable(reason))
  ),
  arrayOf(
    "bytea",
    entries.map(({ original }) => original)
  )
]

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const put = Effect.fn("Quarantine.put")(
    function* (entries: ReadonlyArray<QuarantinedClick>) {
      if (entries.length === 0) return
      const columns = toColumns(inOrder(entries)).map((values) => sql`${values}`)
      yield* sql`
      insert into quarantined_clicks (click_id, received_at, reason, original)
      select * from unnest(${sql.csv(columns)})
      on conflict do nothing`
    },
    Effect.mapError(toQuarantineError("put"))
  )

  const list = Effect.fn("Quarantine.list")(
    function* (limit: number) {
      return yield* sql<QuarantinedClick>`
      select click_id, received_at, reason, original from quarantined_clicks
      order by received_at desc, click_id desc
      limit ${limit}`
    },
    Effect.mapError(toQuarantineError("list"))
  )

  const count = sql<{ readonly count: number }>`
    select count(*)::double precision as count from quarantined_clicks`.pipe(
    Effect.map((rows) => rows[0]?.count ?? 0),
    Effect.mapError(toQuarantineError("count")),
    Effect.withSpan("Quarantine.count")
  )

  const removeBefore = Effect.fn("Quarantine.removeBefore")(
    function* (instant: Date) {
      const [row] = yield* sql<{ readonly count: number }>`
      with removed as (delete from quarantined_clicks where received_at < ${instant} returning 1)
      select count(*)::double precision as count from removed`
      return row?.count ?? 0
    },
    Effect.mapError(toQuarantineError("removeBefore"))
  )

  return Quarantine.of({ put, list, count, removeBefore })
})

/** Keeps originals in the table `quarantined_clicks`. */
export const layer: Layer.Layer<Quarantine, never, SqlClient.SqlClient> = Layer.effect(Quarantine, make)
