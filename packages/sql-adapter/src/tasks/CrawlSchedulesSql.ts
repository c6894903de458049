import {
  applySettings,
  type CrawlSchedule,
  type CrawlScheduleSettings,
  nextRunAt
} from "@clicks/core/tasks/CrawlSchedule"
import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { crawlTask, storeCrawl } from "@clicks/core/tasks/storeTasks"
import type { Task } from "@clicks/core/tasks/Task"
import { unstorableReason } from "@clicks/core/values/Text"
import { Clock, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { operations } from "../operations.ts"
import { transaction } from "../transaction.ts"
import { enqueueTasks } from "./taskRows.ts"

// The number of schedules fired in one transaction, limited so that none takes long.
const firedAtOnce = 100

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { atomic, operation } = operations(sql, "CrawlSchedules", "crawl schedules")
  const columns = sql.literal(
    "store_id as id, store_id, interval_minutes, enabled, priority, last_run_at, next_run_at, updated_at"
  )
  const list = operation("list", function* () {
    return yield* sql<CrawlSchedule>`select ${columns} from crawl_schedules order by store_id`
  })

  const put = atomic("put", function* (store_id: string, settings: CrawlScheduleSettings) {
    // Serialises changes to a store's schedule: a row that does not exist yet cannot be locked.
    yield* sql`select pg_advisory_xact_lock(hashtextextended(${`crawl_schedules ${store_id}`}, 0))::text`
    const [existing] = yield* sql<CrawlSchedule>`
      select ${columns} from crawl_schedules where store_id = ${store_id} for update`
    const now = new Date(yield* Clock.currentTimeMillis)
    const schedule = yield* Effect.fromResult(applySettings(store_id, settings, existing, now))
    const { id: _, ...row } = schedule
    yield* sql`insert into crawl_schedules ${sql.insert(row)}
      on conflict (store_id) do update set ${sql.update(row, ["store_id"])}`
    return { schedule, created: existing === undefined }
  })

  const remove = operation("remove", function* (store_id: string) {
    if (unstorableReason(store_id) !== undefined) return false
    const rows = yield* sql`delete from crawl_schedules where store_id = ${store_id} returning store_id`
    return rows.length > 0
  })

  const unfinishedCrawls = (stores: ReadonlyArray<string>) => sql<{ readonly store_id: string }>`
    select distinct payload ->> 'store_id' as store_id from tasks
    where kind = ${sql.literal(`'${storeCrawl.name}'`)} and state in ('waiting', 'running')
    and payload ->> 'store_id' in ${sql.in(stores)}`

  // Locks each schedule until its task and its next time are committed, so that no two processes fire it.
  const fireSome = Effect.gen(function* () {
    const now = new Date(yield* Clock.currentTimeMillis)
    const due = yield* sql<CrawlSchedule>`
      select ${columns} from crawl_schedules where next_run_at <= ${now}
      order by next_run_at limit ${firedAtOnce} for update skip locked`
    if (due.length === 0) return { due: 0, tasks: [] }
    const crawls = yield* unfinishedCrawls(due.map(({ store_id }) => store_id))
    const busy = new Set(crawls.map(({ store_id }) => store_id))
    for (const { interval_minutes, last_run_at, next_run_at, store_id } of due) {
      yield* sql`
        update crawl_schedules set
          last_run_at = ${busy.has(store_id) ? last_run_at : now},
          next_run_at = ${nextRunAt(next_run_at ?? now, interval_minutes, now)}
        where store_id = ${store_id}`
    }
    const firing = due.filter(({ store_id }) => !busy.has(store_id))
    const tasks = yield* enqueueTasks(
      sql,
      firing.map((schedule) => crawlTask(schedule, now))
    )
    return { due: due.length, tasks }
  })

  const fireDue = operation("fireDue", function* () {
    const fired: Array<Task> = []
    let fewer = false
    while (!fewer) {
      const { due, tasks } = yield* transaction(sql, fireSome)
      fired.push(...tasks)
      fewer = due < firedAtOnce
    }
    return fired
  })

  return CrawlSchedules.of({ list: list(), put, remove, fireDue: fireDue() })
})

/** Keeps schedules in the table `crawl_schedules`, and their crawls in `tasks`. */
export const layer = Layer.effect(CrawlSchedules, make)
