import {
  applySettings,
  type CrawlSchedule,
  type CrawlScheduleSettings
} from "@clicks/core/tasks/CrawlSchedule"
import { CrawlSchedules, CrawlSchedulesError } from "@clicks/core/tasks/CrawlSchedules"
import type { Task } from "@clicks/core/tasks/Task"
import { unstorableReason } from "@clicks/core/values/Text"
import { Clock, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { fireSchedules } from "./fireSchedules.ts"
import * as PgBossQueue from "./PgBossQueue.ts"
import { scheduleColumns } from "./scheduleColumns.ts"

const toCrawlSchedulesError =
  (operation: string) =>
  (cause: SqlError.SqlError | PgBossQueue.PgBossError): CrawlSchedulesError =>
    new CrawlSchedulesError({ operation, cause })

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = scheduleColumns(sql)
  const boss = yield* PgBossQueue.PgBossQueue
  const list = sql<CrawlSchedule>`select ${columns} from crawl_schedules order by store_id`.pipe(
    Effect.mapError(toCrawlSchedulesError("list")),
    Effect.withSpan("CrawlSchedules.list")
  )

  const put = Effect.fn("CrawlSchedules.put")(
    function* (store_id: string, settings: CrawlScheduleSettings) {
      // One at a time for a store: a row that is not there yet cannot be locked.
      yield* sql`select pg_advisory_xact_lock(hashtextextended(${`crawl_schedules ${store_id}`}, 0))::text`
      const [existing] = yield* sql<CrawlSchedule>`
      select ${columns} from crawl_schedules where store_id = ${store_id} for update`
      const now = new Date(yield* Clock.currentTimeMillis)
      const schedule = yield* Effect.fromResult(applySettings(store_id, settings, existing, now))
      const { id: _, ...row } = schedule
      yield* sql`insert into crawl_schedules ${sql.insert(row)}
      on conflict (store_id) do update set ${sql.update(row, ["store_id"])}`
      return { schedule, created: existing === undefined }
    },
    boss.transaction,
    Effect.catchTag(["SqlError", "PgBossError"], (cause) => Effect.fail(toCrawlSchedulesError("put")(cause)))
  )

  const remove = Effect.fn("CrawlSchedules.remove")(
    function* (store_id: string) {
      if (unstorableReason(store_id) !== undefined) return false
      const rows = yield* sql`delete from crawl_schedules where store_id = ${store_id} returning store_id`
      return rows.length > 0
    },
    Effect.mapError(toCrawlSchedulesError("remove"))
  )

  const fireSome = boss.transaction(fireSchedules(sql, boss))

  const fireDue = Effect.gen(function* () {
    const fired: Array<Task> = []
    let isDone = false
    while (!isDone) {
      const { due, tasks } = yield* fireSome
      fired.push(...tasks)
      isDone = due === 0
    }
    return fired
  }).pipe(Effect.mapError(toCrawlSchedulesError("fireDue")), Effect.withSpan("CrawlSchedules.fireDue"))

  return CrawlSchedules.of({ list, put, remove, fireDue })
})

/** Keeps schedules in the table `crawl_schedules`, and queues their crawls in pg-boss. */
export const layer: Layer.Layer<CrawlSchedules, never, SqlClient.SqlClient> = Layer.effect(
  CrawlSchedules,
  make
).pipe(Layer.provide(PgBossQueue.layer))
