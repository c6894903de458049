import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { affected } from "./commandResponse.ts"
import type { PgBossQueue } from "./PgBossQueue.ts"
import { fromTasks } from "./taskRows.ts"

// What is forgotten in one transaction, so that none is long.
const atOnce = 1000

/** Forgets the oldest tasks that finished before then, and with one of a batch all of it. To be run in a transaction. */
export const purgeTasks = (sql: SqlClient.SqlClient, { run }: PgBossQueue["Service"]) => {
  const finished = (before: Date) => sql`state >= 'completed' and completed_on < ${before}`

  return Effect.fnUntraced(function* (before: Date) {
    const rows = yield* sql<{ readonly id: string }>`
      with old as (
        select id, data ->> 'batch_id' as batch_id ${fromTasks(sql)}
        and created_on < ${before} and ${finished(before)} and not exists (
          select from pgboss.job_common as member
          where member.data ->> 'batch_id' = job_common.data ->> 'batch_id'
          and not (member.state >= 'completed' and member.completed_on < ${before})
        )
        order by created_on limit ${atOnce}
      )
      select id from old where batch_id is null
      union all
      select id ${fromTasks(sql)} and data ->> 'batch_id' in (select batch_id from old)`
    if (rows.length === 0) return 0
    const deleted = yield* run(({ boss, on, queue }) =>
      boss.deleteJob(
        queue,
        rows.map(({ id }) => id),
        on
      )
    )
    return affected(deleted)
  })
}
