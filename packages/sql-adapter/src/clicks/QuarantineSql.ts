import { Quarantine, type QuarantinedClick } from "@clicks/core/clicks/recording/Quarantine"
import { compareCodePoints, replaceUnstorable } from "@clicks/core/values/Text"
import type { Uuid } from "@clicks/core/values/Uuid"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { columnsOf } from "../arrayOf.ts"
import { operations } from "../operations.ts"

const types = { click_id: "uuid", received_at: "timestamptz", reason: "text", original: "bytea" } as const

// Sorted, so that overlapping batches wait for each other instead of deadlocking.
const inOrder = (entries: ReadonlyArray<QuarantinedClick>) =>
  entries
    .map((entry) => ({ ...entry, reason: replaceUnstorable(entry.reason) }))
    .sort((a, b) => compareCodePoints(a.click_id, b.click_id) || compareCodePoints(a.reason, b.reason))

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { operation } = operations(sql, "Quarantine", "quarantine")

  const put = operation("put", function* (entries: ReadonlyArray<QuarantinedClick>) {
    if (entries.length === 0) return
    const columns = columnsOf(types, inOrder(entries)).map((values) => sql`${values}`)
    yield* sql`
    insert into quarantined_clicks (click_id, received_at, reason, original)
    select * from unnest(${sql.csv(columns)})
    on conflict do nothing`
  })

  const list = operation("list", function* (limit: number) {
    return yield* sql<QuarantinedClick>`
    select click_id, received_at, reason, original from quarantined_clicks
    order by received_at desc, click_id desc
    limit ${limit}`
  })

  const reasonsOf = operation("reasonsOf", function* (id: Uuid) {
    const rows = yield* sql<{ readonly reason: string }>`
    select reason from quarantined_clicks where click_id = ${id}::uuid order by received_at`
    return rows.map(({ reason }) => reason)
  })

  const count = operation("count", function* () {
    const [row] = yield* sql<{ readonly count: number }>`
    select count(*)::double precision as count from quarantined_clicks`
    return row?.count ?? 0
  })

  const removeBefore = operation("removeBefore", function* (instant: Date) {
    const [row] = yield* sql<{ readonly count: number }>`
    with removed as (delete from quarantined_clicks where received_at < ${instant} returning 1)
    select count(*)::double precision as count from removed`
    return row?.count ?? 0
  })

  return Quarantine.of({ put, list, reasonsOf, count: count(), removeBefore })
})

/** Keeps originals in the table `quarantined_clicks`. */
export const layer: Layer.Layer<Quarantine, never, SqlClient.SqlClient> = Layer.effect(Quarantine, make)
