import type { AnalyticsQuery } from "@clicks/core/analytics/AnalyticsQuery"
import { ClickAnalytics, ClickAnalyticsError } from "@clicks/core/analytics/ClickAnalytics"
import type { ClickGroup } from "@clicks/core/analytics/ClickGroup"
import type { FunnelQuery } from "@clicks/core/analytics/Funnel"
import { type Count, type Step, steps, toSteps } from "@clicks/core/analytics/Funnel"
import { Effect, Layer } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import { matches } from "../clicks/clickConditions.ts"
import { isRefused } from "../sqlErrors.ts"
import {
  bucketLabel,
  bucketStart,
  unidentifiedClicks,
  visitorColumns,
  visitorCount
} from "./analyticsColumns.ts"

// Texts are checked before they come here, so the only value that the server can refuse is the time zone.
const toClickAnalyticsError = (operation: string) => (cause: SqlError.SqlError) =>
  new ClickAnalyticsError({ operation, reason: isRefused(cause) ? "UnknownTimeZone" : "Unavailable", cause })

const first = (columns: number) => Array.from({ length: columns }, (_, index) => String(index + 1))

interface Totals {
  readonly total: number
  readonly unidentified: number
}

type GroupRow = ClickGroup & Totals
type FunnelRow = { readonly name: string | null } & Totals & {
    readonly [column in `${Step}_${keyof Count}`]: number
  }

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const inOrder = (field: string) => sql`${sql(field)} collate "C" nulls last`

  // Clicks are counted per visitor first and visitors then: `count(distinct …)` sorts every click of a group. A million clicks of
  // 400,000 visitors take 1.0 s so and 2.5 s sorted; by action 1.4 s and 1.8 s.
  const countGroups = ({ axis, filter, groupBy, limit }: AnalyticsQuery): Statement.Statement<GroupRow> => {
    const keys = groupBy.map((field) => sql`${sql(field)}`)
    const labelled = axis ? [...keys, sql`label`] : keys
    const bucket = axis && sql`${bucketStart(sql, axis)} as bucket`
    return sql<GroupRow>`
      with visits as (
        select ${sql.csv([...keys, ...(axis ? [sql`${bucketLabel(sql, axis)} as label`] : []), visitorColumns(sql)])},
          count(*) as clicks
        from clicks where ${matches(sql, filter)}
        group by ${sql.csv(first(labelled.length + 3))}
      ), groups as (
        select ${sql.csv([
          ...labelled,
          sql`coalesce(sum(clicks), 0)::float8 as clicks`,
          sql`${visitorCount(sql)} as visitors`,
          sql`${unidentifiedClicks(sql)} as unidentified`
        ])}
        from visits ${labelled.length === 0 ? sql`` : sql`group by ${sql.csv(labelled)}`}
      )
      select ${sql.csv([...keys, ...(bucket ? [bucket] : []), "clicks", "visitors", "(count(*) over ())::float8 as total", "(sum(unidentified) over ())::float8 as unidentified"])}
      from groups
      order by ${sql.csv([...(axis ? ["bucket"] : []), "clicks desc", ...groupBy.map(inOrder)])}
      limit ${limit}`
  }

  const groups = Effect.fn("ClickAnalytics.groups")(
    function* (query: AnalyticsQuery) {
      const rows = yield* countGroups(query)
      return {
        groups: rows.map(({ total: _, unidentified: __, ...group }): ClickGroup => group),
        ...totalsOf(rows)
      }
    },
    Effect.mapError(toClickAnalyticsError("groups"))
  )

  const countSteps = ({ filter, groupBy, limit }: FunnelQuery): Statement.Statement<FunnelRow> => {
    const counts = steps.flatMap((step) => [
      sql`coalesce(sum(clicks) filter (where action = ${step}), 0)::float8 as ${sql(`${step}_clicks`)}`,
      sql`${visitorCount(sql, sql`action = ${step}`)} as ${sql(`${step}_visitors`)}`
    ])
    return sql<FunnelRow>`
      with visits as (
        select ${sql(groupBy)} as name, action, ${visitorColumns(sql)}, count(*) as clicks
        from clicks where ${matches(sql, filter)} and ${sql.in("action", steps)}
        group by 1, 2, 3, 4, 5
      )
      select name, ${sql.csv(counts)}, (count(*) over ())::float8 as total,
        (sum(${unidentifiedClicks(sql)}) over ())::float8 as unidentified
      from visits group by name
      order by sum(clicks) desc, ${inOrder("name")}
      limit ${limit}`
  }

  const funnel = Effect.fn("ClickAnalytics.funnel")(
    function* (query: FunnelQuery) {
      const rows = yield* countSteps(query)
      return {
        group_by: query.groupBy,
        groups: rows.map((row) => ({ [query.groupBy]: row.name, steps: stepsOf(row) })),
        ...totalsOf(rows)
      }
    },
    Effect.mapError(toClickAnalyticsError("funnel"))
  )

  return ClickAnalytics.of({ groups, funnel })
})

const totalsOf = ([first]: ReadonlyArray<Totals>): Totals => ({
  total: first?.total ?? 0,
  unidentified: first?.unidentified ?? 0
})

const stepsOf = (row: FunnelRow) =>
  toSteps((step) => ({ clicks: row[`${step}_clicks`], visitors: row[`${step}_visitors`] }))

/** Counts the rows of the table `clicks`, each time anew. */
export const layer: Layer.Layer<ClickAnalytics, never, SqlClient.SqlClient> = Layer.effect(
  ClickAnalytics,
  make
)
