import { applySettings, type CrawlSchedule, nextRunAt } from "@clicks/core/tasks/CrawlSchedule"
import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { crawlTask, storeCrawl } from "@clicks/core/tasks/storeTasks"
import { isFinished, type NewTask } from "@clicks/core/tasks/Task"
import type { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { compareCodePoints } from "@clicks/core/values/Text"
import { Clock, Effect, Predicate } from "effect"
import type { TaskRows } from "./TaskLeasesMemory.ts"

const date = Effect.map(Clock.currentTimeMillis, (now) => new Date(now))

const isCrawlOf = ({ kind, payload }: Pick<NewTask, "kind" | "payload">, store_id: string): boolean =>
  kind === storeCrawl.name && Predicate.isObject(payload) && payload["store_id"] === store_id

/** Schedules in this process's memory. */
export const make = (rows: TaskRows, queue: TaskQueue["Service"]): CrawlSchedules["Service"] => {
  const schedules = new Map<string, CrawlSchedule>()

  const hasUnfinishedCrawl = (store_id: string): boolean =>
    Array.from(rows.values()).some(
      (row) => (row.state === "waiting" || !isFinished(row.state)) && isCrawlOf(row, store_id)
    )

  return CrawlSchedules.of({
    list: Effect.sync(() =>
      Array.from(schedules.values()).sort((a, b) => compareCodePoints(a.store_id, b.store_id))
    ),
    put: Effect.fnUntraced(function* (store_id, settings) {
      const existing = schedules.get(store_id)
      const schedule = yield* Effect.fromResult(applySettings(store_id, settings, existing, yield* date))
      schedules.set(store_id, schedule)
      return { schedule, created: existing === undefined }
    }),
    remove: (store_id) => Effect.sync(() => schedules.delete(store_id)),
    fireDue: Effect.gen(function* () {
      const now = yield* date
      const firing: Array<CrawlSchedule> = []
      for (const schedule of schedules.values()) {
        const { interval_minutes, next_run_at, store_id } = schedule
        if (next_run_at === null || next_run_at > now) continue
        const fires = !hasUnfinishedCrawl(store_id)
        if (fires) firing.push(schedule)
        schedules.set(store_id, {
          ...schedule,
          ...(fires && { last_run_at: now }),
          next_run_at: nextRunAt(next_run_at, interval_minutes, now)
        })
      }
      return yield* Effect.orDie(queue.enqueue(firing.map((schedule) => crawlTask(schedule, now))))
    })
  })
}
