import { workerLost } from "@clicks/core/tasks/TaskLeases"
import { Duration, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { PgBossQueue } from "./PgBossQueue.ts"
import { fromTasks, type JobOutput } from "./taskRows.ts"
import { notifyReady } from "./taskSignals.ts"

interface SilentRow {
  readonly id: string
  readonly retryCount: number
  readonly max_attempts: number
}

/** Frees the tasks that were not renewed for that long. To be run in a transaction. */
export const recoverTasks = (sql: SqlClient.SqlClient, { run }: PgBossQueue["Service"]) =>
  Effect.fnUntraced(function* (silentFor: Duration.Duration) {
    const silent = yield* sql<SilentRow>`
      select id, retry_count as "retryCount", (data ->> 'max_attempts')::int as max_attempts ${fromTasks(sql)}
      and state = 'active' and heartbeat_on < now() - make_interval(secs => ${Duration.toSeconds(silentFor)})
      for update skip locked`
    for (const { id, max_attempts, retryCount } of silent) {
      const attempt = retryCount + 1
      const output: JobOutput = { error: workerLost(attempt) }
      yield* run(({ boss, on, queue }) => boss.fail(queue, { id, retryCount }, output, on))
      if (attempt < max_attempts) yield* run(({ boss, on, queue }) => boss.retry(queue, id, on))
    }
    if (silent.length > 0) yield* notifyReady(sql)
    return silent.map(({ id }) => id)
  })
