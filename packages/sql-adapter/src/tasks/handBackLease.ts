import type { TaskLease } from "@clicks/core/tasks/TaskLeases"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { affected } from "./commandResponse.ts"
import type { PgBossQueue } from "./PgBossQueue.ts"
import { attemptOf, fromTasks, type JobData, type JobOutput } from "./taskRows.ts"

/** Makes a task ready that a worker held, with an attempt more. To be run in a transaction. */
export const handBackLease = (sql: SqlClient.SqlClient, { run }: PgBossQueue["Service"], error?: string) =>
  Effect.fnUntraced(function* (lease: TaskLease) {
    const { id } = lease
    const rows = yield* sql<{ readonly data: JobData; readonly output: JobOutput | null }>`
      select data, output ${fromTasks(sql)} and id = ${id} for update`
    const [row] = rows
    if (row === undefined) return
    const output = error === undefined ? row.output : { error }
    const failed = yield* run(({ boss, on, queue }) => boss.fail(queue, attemptOf(lease), output, on))
    if (affected(failed) === 0) return
    yield* run(({ boss, on, queue }) => boss.retry(queue, id, on))
    const data: JobData = { ...row.data, max_attempts: row.data.max_attempts + 1 }
    yield* run(({ boss, on, queue }) => boss.update(queue, data, { id, ...on }))
  })
