import { maxProducts, type PairQuery, type ProductPairs } from "@clicks/core/analytics/ProductPairs"
import { unstorableReason } from "@clicks/core/values/Text"
import type { TimeZone } from "@clicks/core/values/TimeZone"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { matches } from "../clicks/clickConditions.ts"
import { visitorNumber } from "../clicks/counting/chunkColumns.ts"

type Sql = SqlClient.SqlClient

/** The visit of a click among those of its visitor: its session or, without one, the local day. */
const visitNumber = (sql: Sql, timeZone: TimeZone): Statement.Fragment =>
  sql`case when session_id is null then (occurred_at at time zone ${timeZone}::text)::date - date 'epoch'
      else hashtextextended(session_id, 3) end`

interface PairRow {
  /** Null in the only row if there are no pairs. */
  readonly one: string | null
  readonly other: string
  readonly visits: number
  readonly visitors: number
  readonly total: number
  readonly skipped: number
}

/** Pairs of products that visitors clicked in one visit. */
export const countPairs = (
  sql: Sql,
  { filter, limit, product_id, timeZone }: PairQuery
): Effect.Effect<ProductPairs, SqlError.SqlError> => {
  const isStorable = product_id === undefined || unstorableReason(product_id) === undefined
  const asked =
    product_id === undefined ? sql`true` : sql`${product_id} in (one.product_id, other.product_id)`
  const isAsked = isStorable ? asked : sql`false`
  const rows = sql<PairRow>`
    with products as (
      select ${sql.literal(visitorNumber)} as visitor, ${visitNumber(sql, timeZone)} as visit, product_id
      from clicks where ${matches(sql, filter)} and num_nonnulls(visitor_id, user_id, ip_address, user_agent) > 0 group by 1, 2, 3
    ),
    sized as (select *, count(*) over (partition by visitor, visit) as size from products),
    visits as materialized (select * from sized where size > 1),
    pairs as (
      select one.product_id as one, other.product_id as other, one.visitor, count(*) as visits
      from visits as one join visits as other
        on one.visitor = other.visitor and one.visit = other.visit and one.product_id collate "C" < other.product_id collate "C"
      where one.size <= ${maxProducts} and ${isAsked}
      group by 1, 2, 3
    ),
    first as (
      select one, other, sum(visits)::float8 as visits, count(*)::float8 as visitors, (count(*) over ())::float8 as total
      from pairs group by one, other
      order by sum(visits) desc, one collate "C", other collate "C" limit ${limit}
    )
    select first.*, large.skipped
    from (select count(distinct (visitor, visit))::float8 as skipped from visits where size > ${maxProducts}) as large left join first on true
    order by visits desc, one collate "C", other collate "C"`
  return Effect.map(rows, (all) => ({
    pairs: all.flatMap(({ one, other, visitors, visits }) =>
      one === null ? [] : [{ products: [one, other] as const, visits, visitors }]
    ),
    total: all[0]?.total ?? 0,
    skipped: all[0]?.skipped ?? 0
  }))
}
