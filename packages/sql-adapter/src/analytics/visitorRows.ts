import { type CohortQuery, type CohortWeek, maxCohorts } from "@clicks/core/analytics/Cohorts"
import { maxProducts, type PairQuery, type ProductPairs } from "@clicks/core/analytics/ProductPairs"
import type { VisitorBuckets, VisitorQuery } from "@clicks/core/analytics/VisitorBuckets"
import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import { unstorableReason } from "@clicks/core/values/Text"
import type { TimeZone } from "@clicks/core/values/TimeZone"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { instant, matches } from "../clicks/clickConditions.ts"
import { bucketLabel, bucketStart, isIdentified, visitorNumber } from "./analyticsColumns.ts"

type Sql = SqlClient.SqlClient

/** The first click of each visitor of all clicks. */
const firsts = (sql: Sql): Statement.Fragment => sql`
  select ${visitorNumber(sql)} as visitor, min(occurred_at) as first from clicks where ${isIdentified(sql)} group by 1`

const counts = (sql: Sql, isNew: Statement.Fragment): Statement.Fragment => sql`
  count(*)::float8 as visitors, (count(*) filter (where ${isNew}))::float8 as new,
  (count(*) filter (where not (${isNew})))::float8 as returning`

type BucketRow = VisitorBuckets["total"] & { readonly bucket: Date | null }

/** Buckets with visitors, and the whole range. */
export const countVisitors = (sql: Sql, { axis, filter }: VisitorQuery) => {
  const isNewInRange = filter.from ? sql`first >= ${instant(sql, filter.from)}` : sql`true`
  const at = (column: string) => bucketLabel(sql, sql`${sql(column)}`, axis)
  return Effect.map(
    sql<BucketRow>`
      with firsts as (${firsts(sql)}),
      visits as (
        select ${visitorNumber(sql)} as visitor, ${at("occurred_at")} as label
        from clicks where ${matches(sql, filter)} and ${isIdentified(sql)} group by 1, 2
      ),
      known as (select visitor, label, first from visits join firsts using (visitor))
      select ${bucketStart(sql, axis)} as bucket, ${counts(sql, sql`${at("first")} = label`)} from known group by label
      union all
      select null, ${counts(sql, isNewInRange)}
      from (select visitor, min(first) as first from known group by visitor) as visitors`,
    (rows) => ({
      rows: rows.flatMap(({ bucket, ...row }) => (bucket === null ? [] : [{ bucket, ...row }])),
      total: rows.filter(({ bucket }) => bucket === null).map(({ bucket: _, ...total }) => total)[0] ?? {
        visitors: 0,
        new: 0,
        returning: 0
      }
    })
  )
}

const isInRange = (sql: Sql, { from, to }: ClickFilter): Statement.Fragment =>
  sql.and([
    sql`true`,
    ...(from ? [sql`first >= ${instant(sql, from)}`] : []),
    ...(to ? [sql`first <= ${instant(sql, to)}`] : [])
  ])

/** The latest cohorts in order. */
export const countCohorts = (sql: Sql, { filter, timeZone }: CohortQuery) => {
  const axis = { interval: "week", timeZone } as const
  return sql<CohortWeek>`
    with members as materialized (
      select visitor, ${bucketLabel(sql, sql`first`, axis)} as label from (${firsts(sql)}) as firsts
      where ${isInRange(sql, filter)}
    ),
    cohorts as (
      select label, count(*) as visitors from members group by 1 order by 1 desc limit ${maxCohorts}
    ),
    visits as (
      select ${visitorNumber(sql)} as visitor, ${bucketLabel(sql, sql`occurred_at`, axis)} as label
      from clicks where ${matches(sql, filter)} and ${isIdentified(sql)} group by 1, 2
    ),
    returned as (
      select members.label, (extract(epoch from visits.label - members.label) / 604800)::integer as later, count(*) as returned
      from members join visits using (visitor) group by 1, 2
    )
    select ${bucketStart(sql, axis)} as week, visitors::float8 as visitors, later, coalesce(returned, 0)::float8 as returned
    from cohorts left join returned using (label) order by label, later`
}

/** The visit of a click among those of its visitor: its session or, without one, the local day. */
const visitNumber = (sql: Sql, timeZone: TimeZone): Statement.Fragment =>
  sql`case when session_id is null then (occurred_at at time zone ${timeZone}::text)::date - date 'epoch'
      else hashtextextended(session_id, 3) end`

interface PairRow {
  readonly one: string
  readonly other: string
  readonly visits: number
  readonly visitors: number
  readonly total: number
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
  const sized = sql`
    with products as (
      select ${visitorNumber(sql)} as visitor, ${visitNumber(sql, timeZone)} as visit, product_id
      from clicks where ${matches(sql, filter)} and ${isIdentified(sql)} group by 1, 2, 3
    ),
    visits as materialized (
      select *, count(*) over (partition by visitor, visit) as size from products
    )`
  const pairs = sql<PairRow>`
    ${sized},
    pairs as (
      select one.product_id as one, other.product_id as other, one.visitor, count(*) as visits
      from visits as one join visits as other
        on one.visitor = other.visitor and one.visit = other.visit and one.product_id collate "C" < other.product_id collate "C"
      where one.size <= ${maxProducts} and ${isAsked}
      group by 1, 2, 3
    )
    select one, other, sum(visits)::float8 as visits, count(*)::float8 as visitors, (count(*) over ())::float8 as total
    from pairs group by one, other
    order by sum(visits) desc, one collate "C", other collate "C" limit ${limit}`
  const skipped = sql<{ readonly skipped: number }>`
    ${sized} select (count(distinct (visitor, visit)))::float8 as skipped from visits where size > ${maxProducts}`
  return Effect.map(Effect.all([pairs, skipped]), ([rows, [none]]) => ({
    pairs: rows.map(({ one, other, visitors, visits }) => ({
      products: [one, other] as const,
      visits,
      visitors
    })),
    total: rows[0]?.total ?? 0,
    skipped: none?.skipped ?? 0
  }))
}
