import type { NewTask, Task } from "@clicks/core/tasks/Task"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { taskColumns } from "./taskRows.ts"
import { notifyReady } from "./taskSignals.ts"

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
  yield* notifyReady(sql)
  const ids = tasks.map(({ id }) => id)
  const rows = yield* sql<Task>`select ${taskColumns(sql)} from tasks where ${sql.in("id", ids)}`
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
})
