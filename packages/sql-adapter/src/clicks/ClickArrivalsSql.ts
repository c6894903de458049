import { type ArrivalPosition, ClickArrivals } from "@clicks/core/clicks/ClickArrivals"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { toClickStoreError } from "./ClickStoreSql.ts"
import { type ClickRow, columnNames, toClickEvent } from "./clickColumns.ts"
import { matches } from "./clickConditions.ts"

/**
 * Snapshots as PostgreSQL writes them, `xmin:xmax:xip,…`. Everything that `met` shows has been met; with `until`, also what
 * `until` shows up to the click `arrival`, `id`.
 */
const Position = Schema.fromJsonString(
  Schema.Struct({
    met: Schema.String,
    until: Schema.NullOr(Schema.String),
    arrival: Schema.NullOr(Schema.String),
    id: Schema.NullOr(Schema.String)
  })
)
const decode = Schema.decodeEffect(Position)
const encode = Schema.encodeSync(Position)

const whole = (met: string): ArrivalPosition => encode({ met, until: null, arrival: null, id: null })

type Row = { readonly moment: string } & ((ClickRow & { readonly arrived: string }) | { readonly id: null })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.csv(columnNames)

  const now = sql<{ readonly moment: string }>`select pg_current_snapshot()::text as moment`.pipe(
    Effect.map(([row]) => whole(row?.moment ?? "")),
    Effect.mapError(toClickStoreError("now"))
  )

  // What is new is what this moment shows and the one before did not: transactions that were under way then and are done now,
  // in whatever order they finished. The clicks of one moment go by transaction, so that a page can end between two.
  // After a dump is restored, transactions are counted from the beginning again: a row whose own transaction (its xmin) came
  // before the one that it names was stored in another life, and is not new.
  // The planner does not know that few clicks are new. Were it told the filter, it would take the index of a rare value and look at
  // all of its clicks, each time; inside a case expression it cannot tell.
  const since = Effect.fn("ClickArrivals.since")(
    function* (position: ArrivalPosition, filter: ClickFilter, limit: number) {
      const { arrival, id, met, until } = yield* Effect.orDie(decode(position))
      const rows = yield* sql<Row>`
      with moment as materialized (
        select coalesce(${until}::pg_snapshot, pg_current_snapshot()) as until, ${met}::pg_snapshot as met
      )
      select moment.until::text as moment, page.*
      from moment
      left join lateral (
        select ${columns}, arrival::text as arrived
        from clicks
        where arrival >= pg_snapshot_xmin(moment.met)
          and not pg_visible_in_snapshot(arrival, moment.met)
          and pg_visible_in_snapshot(arrival, moment.until)
          and ((clicks.xmin::text::bigint - arrival::text::bigint) & 4294967295) < 2147483648
          and (${arrival}::xid8 is null or (arrival, id) > (${arrival}::xid8, ${id}::uuid))
          and case when ${matches(sql, filter)} then true else false end
        order by arrival, id
        limit ${limit + 1}
      ) as page on true
      order by page.arrived::xid8, page.id`
      const found = rows.filter((row) => row.id !== null)
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const moment = rows[0]?.moment ?? met
      const isWholeMoment = found.length <= limit || last === undefined
      return {
        clicks: page.map(toClickEvent),
        position: isWholeMoment
          ? whole(moment)
          : encode({ met, until: moment, arrival: last.arrived, id: last.id }),
        // A moment that was begun by an earlier page is past: more may have come since.
        isAll: isWholeMoment && until === null
      }
    },
    Effect.mapError(toClickStoreError("since"))
  )

  return ClickArrivals.of({ now, since })
})

/** Follows the table `clicks` by the transactions that write to it. */
export const layer: Layer.Layer<ClickArrivals, never, SqlClient.SqlClient> = Layer.effect(ClickArrivals, make)
