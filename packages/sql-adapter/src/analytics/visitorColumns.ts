import type { SqlClient, Statement } from "effect/sql"

/** Who clicked (`visitor` in core) as columns: the same visitor, the same three values. */
export const visitorColumns = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`user_id,
      case when user_id is null then ip_address end as ip_address,
      case when user_id is null then user_agent end as user_agent`

/** Whether the three columns name anybody. */
export const isKnown = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql`num_nonnulls(user_id, ip_address, user_agent) > 0`
