import { type CrawlSchedule, nextRunAt } from "@clicks/core/tasks/CrawlSchedule"
import { crawlTask } from "@clicks/core/tasks/crawlTask"
import { storeCrawl } from "@clicks/core/tasks/storeKinds"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { enqueueTasks } from "./enqueueTasks.ts"
import type { PgBossQueue } from "./PgBossQueue.ts"
import { scheduleColumns } from "./scheduleColumns.ts"
import { fromTasks } from "./taskRows.ts"

// What is fired in one transaction, so that none is long.
const atOnce = 100

/**
 * Fires the schedules that are due longest and that nobody else is firing. To be run in a transaction: a schedule is locked
 * until its task and its next time are there, so no two ever see it due.
 */
export const fireSchedules = (sql: SqlClient.SqlClient, boss: PgBossQueue["Service"]) => {
  const enqueue = enqueueTasks(sql, boss)

  const unfinished = (stores: ReadonlyArray<string>) => sql<{ readonly store_id: string }>`
    select distinct data -> 'payload' ->> 'store_id' as store_id ${fromTasks(sql)}
    and group_id = ${sql.literal(`'${storeCrawl.name}'`)} and state < 'completed'
    and data -> 'payload' ->> 'store_id' in ${sql.in(stores)}`

  return Effect.gen(function* () {
    const now = new Date(yield* Clock.currentTimeMillis)
    const due = yield* sql<CrawlSchedule>`
      select ${scheduleColumns(sql)} from crawl_schedules where next_run_at <= ${now}
      order by next_run_at limit ${atOnce} for update skip locked`
    if (due.length === 0) return { due: 0, tasks: [] }
    const busy = new Set((yield* unfinished(due.map(({ store_id }) => store_id))).map((row) => row.store_id))
    for (const { interval_minutes, last_run_at, next_run_at, store_id } of due) {
      yield* sql`
        update crawl_schedules set
          last_run_at = ${busy.has(store_id) ? last_run_at : now},
          next_run_at = ${nextRunAt(next_run_at ?? now, interval_minutes, now)}
        where store_id = ${store_id}`
    }
    const firing = due.filter(({ store_id }) => !busy.has(store_id))
    return { due: due.length, tasks: yield* enqueue(firing.map((schedule) => crawlTask(schedule, now))) }
  })
}
