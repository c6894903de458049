import type { TaskState } from "@clicks/core/tasks/Task"
import type { SqlClient, Statement } from "effect/sql"

/** The columns of `tasks` as a task. A task that waits is scheduled or ready, depending on the server's clock. */
export const taskColumns = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`
    id, kind, payload,
    case when state <> 'waiting' then state when run_at > now() then 'scheduled' else 'ready' end as state,
    priority, run_at, attempts, max_attempts, batch_id, error, created_at, started_at, finished_at`)

/** Whether a row is a task in this state, in a form that the indexes serve. */
export const hasState = (sql: SqlClient.SqlClient, state: TaskState): Statement.Fragment => {
  switch (state) {
    case "scheduled":
      return sql`state = 'waiting' and run_at > now()`
    case "ready":
      return sql`state = 'waiting' and run_at <= now()`
    default:
      return sql`state = ${sql.literal(`'${state}'`)}`
  }
}
