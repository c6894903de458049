import type { NewTask, Task, TaskState } from "@clicks/core/tasks/Task"
import { Effect } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** The columns of `tasks` as a task. A waiting task is scheduled or ready, depending on the server's clock. */
export const taskColumns = (sql: SqlClient.SqlClient): Statement.Fragment =>
  sql.literal(`
    id, kind, payload,
    case when state <> 'waiting' then state when run_at > now() then 'scheduled' else 'ready' end as state,
    priority, run_at, attempts, max_attempts, batch_id, error, created_at, started_at, finished_at`)

/** Whether a row is a task in this state, as a condition that the indexes support. */
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

/** The channel of workers. The payload is `ready`, or the id of a cancelled task. */
export const channel = "clicks_tasks"
export const ready = "ready"

/** Announces a cancelled task, or tasks that may be ready, when the transaction commits. */
export const notify = (sql: SqlClient.SqlClient, payload: string) =>
  sql`select pg_notify(${channel}, ${payload})::text`

/** Creates the tasks and returns them in their order. Runs in the caller's transaction. */
export const enqueueTasks = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  tasks: ReadonlyArray<NewTask>
) {
  if (tasks.length === 0) return []
  yield* sql`
    insert into tasks (id, kind, payload, priority, max_attempts, batch_id, run_at)
    select id, kind, coalesce(payload, 'null'), priority, max_attempts, batch_id, coalesce(run_at, now())
    from jsonb_to_recordset(${JSON.stringify(tasks)}::jsonb) as new (
      id uuid, kind text, payload jsonb, priority int, max_attempts int, batch_id uuid, run_at timestamptz
    )
    on conflict (id) do nothing`
  yield* notify(sql, ready)
  const ids = tasks.map(({ id }) => id)
  const rows = yield* sql<Task>`select ${taskColumns(sql)} from tasks where ${sql.in("id", ids)}`
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
})
