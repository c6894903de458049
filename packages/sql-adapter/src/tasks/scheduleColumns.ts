import type { SqlClient, Statement } from "effect/sql"

/** The columns of `crawl_schedules` as a schedule; its id is its store's. */
export const scheduleColumns = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(
    "store_id as id, store_id, interval_minutes, enabled, priority, last_run_at, next_run_at, updated_at"
  )
