import { type ArrivalPosition, ClickArrivals } from "@clicks/core/clicks/ClickArrivals"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import type { Uuid } from "@clicks/core/values/Uuid"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { currentStep, placesWithin, positionOf, positions, read, type Step } from "./arrivalPositions.ts"
import { toClickStoreError } from "./ClickStoreSql.ts"
import { type ClickRow, columnNames, toClickEvent } from "./clickColumns.ts"
import { matches } from "./clickConditions.ts"

type Arrived = ClickRow & { readonly arrived: string }
type Row = { readonly moment: string } & (Arrived | { readonly id: null })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = sql.csv(columnNames)

  const now = sql<{ readonly moment: string }>`select pg_current_snapshot()::text as moment`.pipe(
    Effect.map(([row]) => row?.moment ?? ""),
    Effect.mapError(toClickStoreError("now"))
  )

  // Restoring a dump into a new cluster restarts the numbering of transactions. If the row's own transaction (its xmin) is earlier than the
  // one in `arrival`, the row was restored and is not new.
  const isOfThisLife = sql.literal(
    "((clicks.xmin::text::bigint - arrival::text::bigint) & 4294967295) < 2147483648"
  )

  const isPassed = ({ at, until }: Step) =>
    sql`pg_visible_in_snapshot(arrival, ${until.text}::pg_snapshot)
      and (arrival, id) <= (${String(at.arrival)}::xid8, ${at.id}::uuid)`

  // A click is new if its transaction is visible in this snapshot and was not in the previous one, in whatever order transactions
  // committed. The clicks of a snapshot are sorted by transaction, so that a page can end between two.
  // The planner does not know that few clicks are new. For a rare value, it would use the value's index and read all clicks of the value
  // each time. A case expression hides the filter from it.
  const since = Effect.fn("ClickArrivals.since")(
    function* (position: ArrivalPosition, filter: ClickFilter, limit: number, end?: ArrivalPosition) {
      const from = read(position)
      const step = currentStep(from)
      const until = step?.until ?? (end === undefined ? undefined : read(end).met)
      const start = step && String(step.at.arrival)
      const rows = yield* sql<Row>`
      with moment as materialized (
        select coalesce(${until?.text ?? null}::pg_snapshot, pg_current_snapshot()) as until,
          ${from.met.text}::pg_snapshot as met
      )
      select moment.until::text as moment, page.*
      from moment
      left join lateral (
        select ${columns}, arrival::text as arrived
        from clicks
        where arrival >= coalesce(${start ?? null}::xid8, pg_snapshot_xmin(moment.met))
          and not pg_visible_in_snapshot(arrival, moment.met)
          and pg_visible_in_snapshot(arrival, moment.until)
          and ${isOfThisLife}
          and not ${sql.or([sql`false`, ...from.steps.map(isPassed)])}
          and case when ${matches(sql, filter)} then true else false end
        order by arrival, id
        limit ${limit + 1}
      ) as page on true
      order by page.arrived::xid8, page.id`
      const found = rows.filter((row) => row.id !== null)
      const page = found.slice(0, limit)
      const last = page.at(-1)
      const moment = rows[0]?.moment ?? from.met.text
      const isWholeMoment = found.length <= limit || last === undefined
      const isPlain = from.steps.every((each) => each === step)
      const placeAfter = placesWithin(from.met.text, moment)
      const placeOf = ({ arrived, id }: Arrived) => {
        const place = placeAfter(arrived, id)
        return isPlain ? place : positions.pass(position, place)
      }
      return {
        clicks: page.map(toClickEvent),
        positions: page.map(placeOf),
        position: isWholeMoment ? moment : placeOf(last),
        // If the page ends at an earlier moment, more clicks may have been stored since.
        isAll: isWholeMoment && until === undefined
      }
    },
    Effect.mapError(toClickStoreError("since"))
  )

  const find = Effect.fn("ClickArrivals.find")(
    function* (id: Uuid) {
      const [row] = yield* sql<Arrived & { readonly is_new: boolean }>`
        select ${columns}, arrival::text as arrived, ${isOfThisLife} as is_new
        from clicks where id = ${id}::uuid`
      return Option.map(Option.fromUndefinedOr(row), ({ arrived, is_new, ...row }) => ({
        click: toClickEvent(row),
        position: is_new ? positionOf(arrived, row.id) : null
      }))
    },
    Effect.mapError(toClickStoreError("find"))
  )

  return ClickArrivals.of({ now, since, find, positions })
})

/** Follows the table `clicks` by the transactions that write to it. */
export const layer: Layer.Layer<ClickArrivals, never, SqlClient.SqlClient> = Layer.effect(ClickArrivals, make)
