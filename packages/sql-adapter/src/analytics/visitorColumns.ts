import type { SqlClient, Statement } from "effect/sql"

/** Who clicked (`visitor` in core) as columns: the same visitor, the same three values. */
export const visitorColumns = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`user_id,
      case when user_id is null then ip_address end as ip_address,
      case when user_id is null then user_agent end as user_agent`

/** The clicks of rows that identify no visitor. */
export const unidentifiedClicks = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`coalesce(sum(clicks) filter (where num_nonnulls(user_id, ip_address, user_agent) = 0), 0)`

/** How many rows, which are distinct in the three columns, name a visitor; null when there are rows and none does. */
export const visitorCount = (
  sql: SqlClient.SqlClient,
  condition: Statement.Fragment = sql`true`
): Statement.Fragment => {
  const known = sql`count(*) filter (where ${condition} and num_nonnulls(user_id, ip_address, user_agent) > 0)`
  return sql`(case when count(*) filter (where ${condition}) > 0 then nullif(${known}, 0) else 0 end)::float8`
}
