import { Clock, Effect } from "effect"
import { compareCodePoints } from "../../values/Text.ts"
import { applySettings, type CrawlSchedule, nextRunAt } from "../CrawlSchedule.ts"
import { CrawlSchedules } from "../CrawlSchedules.ts"
import { crawlTask, isCrawlOf } from "../storeTasks.ts"
import type { TaskQueue } from "../TaskQueue.ts"
import type { TaskTable } from "./TaskTable.ts"

/** Schedules in this process's memory. */
export const make = (table: TaskTable, queue: TaskQueue["Service"]): CrawlSchedules["Service"] => {
  const schedules = new Map<string, CrawlSchedule>()

  const put: CrawlSchedules["Service"]["put"] = (store_id, settings) =>
    Effect.gen(function* () {
      const now = new Date(yield* Clock.currentTimeMillis)
      const existing = schedules.get(store_id)
      const schedule = yield* Effect.fromResult(applySettings(store_id, settings, existing, now))
      schedules.set(store_id, schedule)
      return { schedule, created: existing === undefined }
    })

  const hasUnfinishedCrawl = (store_id: string): boolean =>
    table.hasUnfinished((row) => isCrawlOf(row, store_id))

  const fireDue = Effect.gen(function* () {
    const now = new Date(yield* Clock.currentTimeMillis)
    const due = Array.from(schedules.values()).filter(
      ({ next_run_at }) => next_run_at !== null && next_run_at <= now
    )
    const firing = due.filter(({ store_id }) => !hasUnfinishedCrawl(store_id))
    for (const schedule of due) {
      const fires = firing.includes(schedule)
      schedules.set(schedule.store_id, {
        ...schedule,
        ...(fires && { last_run_at: now }),
        next_run_at: nextRunAt(schedule.next_run_at ?? now, schedule.interval_minutes, now)
      })
    }
    return yield* queue.enqueue(firing.map((schedule) => crawlTask(schedule, now))).pipe(Effect.orDie)
  })

  return CrawlSchedules.of({
    list: Effect.sync(() =>
      Array.from(schedules.values()).sort((a, b) => compareCodePoints(a.store_id, b.store_id))
    ),
    put,
    remove: (store_id) => Effect.sync(() => schedules.delete(store_id)),
    fireDue
  })
}
