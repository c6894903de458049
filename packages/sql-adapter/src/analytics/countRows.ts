import type { GroupField, Ranking } from "@clicks/core/analytics/AnalyticsQuery"
import type { CountedRows, CountRequest, CountRow, Counts } from "@clicks/core/analytics/ClickCounts"
import { isTimeAxis } from "@clicks/core/analytics/Interval"
import { actions, type ClickAction } from "@clicks/core/clicks/ClickEvent"
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { matches } from "../clicks/clickConditions.ts"
import { isIdentified, movedLater, slot, slotLabel, visitorNumber } from "./analyticsColumns.ts"

type Sql = SqlClient.SqlClient
type Fragment = Statement.Fragment

const periods = ["current", "previous"] as const
type Period = (typeof periods)[number]

type Measure = "clicks" | "visitors" | ClickAction

type Row = { readonly [column in `${Period}_${Measure}`]: number | null } & {
  readonly [key in `key_${number}`]: string | null
} & { readonly slot?: number; readonly total: number; readonly unidentified: number }

/** Values of the first fields, as JSON, because an array of nulls has no type. Null and text differ in the first of two columns. */
const isAmong = (
  sql: Sql,
  fields: ReadonlyArray<GroupField>,
  only: NonNullable<CountRequest["only"]>
): Fragment => {
  const width = only[0]?.length ?? 0
  const own = fields.slice(0, width).map((field) => sql`${sql(field)} is null, coalesce(${sql(field)}, '')`)
  const given = own.map((_, index) => {
    const value = sql`value ->> ${index}::integer`
    return sql`${value} is null, coalesce(${value}, '')`
  })
  return sql`(${sql.csv(own)}) in (
    select ${sql.csv(given)} from jsonb_array_elements(${JSON.stringify(only)}::jsonb) as value)`
}

/** The clicks of one period, counted by key, slot and visitor. */
const countedClicks = (sql: Sql, request: CountRequest, period: Period): Fragment => {
  const { actions: wanted, axis, earlier, fields, filter, only, visitors } = request
  const isMoved = period === "previous" && axis && isTimeAxis(axis)
  const range = period === "previous" && earlier ? { from: earlier.from, to: earlier.to } : {}
  const at = isMoved && earlier ? movedLater(sql, earlier, filter) : sql`occurred_at`
  const columns = [
    ...fields.map((field, index) => sql`${sql(field)} as ${sql(`key_${index}`)}`),
    ...(axis ? [sql`${slotLabel(sql, at, axis)} as label`] : []),
    sql`${visitors ? visitorNumber(sql) : sql`null::bigint`} as visitor`
  ]
  return sql`
    select ${sql.csv([
      sql`${sql.literal(`'${period}'`)} as period`,
      ...columns,
      sql`count(*) as clicks`,
      ...actions.map((action) => sql`count(*) filter (where action = ${action}) as ${sql(action)}`),
      sql`count(*) filter (where not (${isIdentified(sql)})) as unidentified`
    ])}
    from clicks
    where ${sql.and([
      matches(sql, { ...filter, ...range }),
      ...(wanted ? [sql.in("action", wanted)] : []),
      ...(only ? [isAmong(sql, fields, only)] : [])
    ])}
    group by ${sql.csv(columns.map((_, index) => String(index + 2)))}`
}

/** The counts of a group of `countedClicks`. */
const measures = (sql: Sql, visitors: boolean): ReadonlyArray<Fragment> =>
  periods.flatMap((period) => {
    const within = sql`filter (where period = ${period})`
    return [
      ...(["clicks", ...actions] as const).map(
        (name) => sql`coalesce(sum(${sql(name)}) ${within}, 0)::float8 as ${sql(`${period}_${name}`)}`
      ),
      visitors
        ? sql`(case when count(*) ${within} > 0 then nullif(count(visitor) ${within}, 0) else 0 end)::float8 as ${sql(`${period}_visitors`)}`
        : sql`null::float8 as ${sql(`${period}_visitors`)}`
    ]
  })

const inOrder = (sql: Sql, fields: ReadonlyArray<GroupField>, isReversed: boolean): ReadonlyArray<Fragment> =>
  fields.map(
    (_, index) =>
      sql`${sql(`key_${index}`)} collate "C" ${sql.literal(isReversed ? "desc nulls first" : "asc nulls last")}`
  )

const measureOf = (sql: Sql, sort: Exclude<Ranking["sort"], "key">): Fragment => {
  if (sort === "total") return sql`current_clicks`
  return sort === "change" ? sql`current_clicks - previous_clicks` : sql`${sql(`current_${sort}`)}`
}

const orderOf = (
  sql: Sql,
  fields: ReadonlyArray<GroupField>,
  { descending, sort }: Ranking
): ReadonlyArray<Fragment> =>
  sort === "key"
    ? inOrder(sql, fields, descending)
    : [
        sql`${measureOf(sql, sort)} ${sql.literal(descending ? "desc" : "asc")}`,
        ...inOrder(sql, fields, false)
      ]

const isRanked = (sql: Sql, { without }: Ranking): ReadonlyArray<Fragment> =>
  without.length === 0
    ? []
    : [sql`current_clicks > 0`, ...without.map((action) => sql`${sql(`current_${action}`)} = 0`)]

/**
 * The statement of a request. It counts clicks per visitor first and visitors then: `count(distinct …)` sorts every click of a
 * group.
 */
const statement = (sql: Sql, request: CountRequest): Statement.Statement<Row> => {
  const { axis, earlier, fields, limit, ranking, visitors } = request
  const keys = fields.map((_, index) => sql`${sql(`key_${index}`)}`)
  const groups = axis ? [...keys, sql`label`] : keys
  const counted = [
    countedClicks(sql, request, "current"),
    ...(earlier ? [countedClicks(sql, request, "previous")] : [])
  ]
  const order = ranking ? orderOf(sql, fields, ranking) : []
  return sql<Row>`
    with counted as (${sql.join(" union all ", false)(counted)}),
    groups as (
      select ${sql.csv([
        ...groups,
        ...measures(sql, visitors),
        sql`sum(unidentified) filter (where period = 'current') as unidentified`
      ])}
      from counted ${groups.length === 0 ? sql`` : sql`group by ${sql.csv(groups)}`}
    )
    select ${sql.csv([
      ...keys,
      ...(axis ? [sql`${slot(sql, axis)} as slot`] : []),
      ...periods.flatMap((period) =>
        (["clicks", "visitors", ...actions] as const).map((name) => sql`${sql(`${period}_${name}`)}`)
      ),
      sql`(count(*) over ())::float8 as total`,
      sql`coalesce(sum(unidentified) over (), 0)::float8 as unidentified`
    ])}
    from groups where ${sql.and([sql`true`, ...(ranking ? isRanked(sql, ranking) : [])])}
    ${order.length === 0 ? sql`` : sql`order by ${sql.csv(order)}`}
    limit ${limit}`
}

const toCounts = (row: Row, period: Period): Counts => ({
  clicks: row[`${period}_clicks`] ?? 0,
  visitors: row[`${period}_visitors`],
  actions: Object.fromEntries(actions.map((action) => [action, row[`${period}_${action}`] ?? 0])) as Record<
    ClickAction,
    number
  >
})

/** Counts the rows of a request. */
export const countRows =
  (sql: Sql) =>
  (request: CountRequest): Effect.Effect<CountedRows, SqlError.SqlError> =>
    Effect.map(statement(sql, request), (rows) => ({
      rows: rows.map(
        (row): CountRow => ({
          keys: request.fields.map((_, index) => row[`key_${index}`] ?? null),
          slot: row.slot,
          current: toCounts(row, "current"),
          previous: toCounts(row, "previous")
        })
      ),
      total: rows[0]?.total ?? 0,
      unidentified: rows[0]?.unidentified ?? 0
    }))
