import type { NewTask, Task } from "@clicks/core/tasks/Task"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { JobInsert } from "pg-boss"
import type { PgBossQueue } from "./PgBossQueue.ts"
import { fromTasks, type JobData, taskColumns } from "./taskRows.ts"
import { notifyReady } from "./taskSignals.ts"

const toJob = ({
  batch_id,
  id,
  kind,
  max_attempts,
  payload,
  priority,
  run_at
}: NewTask): JobInsert<JobData> => ({
  id,
  data: { payload, max_attempts, batch_id },
  priority,
  group: { id: kind },
  ...(run_at !== null && { startAfter: run_at.toISOString() })
})

/** Makes the tasks and returns them in their order. To be run in a transaction. */
export const enqueueTasks = (sql: SqlClient.SqlClient, { run }: PgBossQueue["Service"]) =>
  Effect.fnUntraced(function* (tasks: ReadonlyArray<NewTask>) {
    if (tasks.length === 0) return []
    yield* run(({ boss, on, queue }) => boss.insert(queue, tasks.map(toJob), on))
    yield* notifyReady(sql)
    const ids = tasks.map(({ id }) => id)
    const rows = yield* sql<Task>`select ${taskColumns(sql)} ${fromTasks(sql)} and ${sql.in("id", ids)}`
    const byId = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  })
