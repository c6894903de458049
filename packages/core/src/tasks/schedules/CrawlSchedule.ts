import { Result, Schema } from "effect"
import { StoreId } from "../../stores/Store.ts"
import { instant } from "../../values/Instant.ts"
import { type InvalidInput, invalid } from "../../values/InvalidInput.ts"
import { TaskPriority } from "../Task.ts"

export const maxIntervalMinutes = 1440

const IntervalMinutes = Schema.Int.check(
  Schema.isBetween(
    { minimum: 1, maximum: maxIntervalMinutes },
    { message: `must be a whole number, from 1 to ${maxIntervalMinutes}` }
  )
).annotate({ description: "Minutes between crawls", examples: [15] })

const enabled = Schema.Boolean.annotate({ description: "Whether the schedule runs", examples: [true] })

/** Crawls a store at an interval. A store has at most one schedule. */
export const CrawlSchedule = Schema.Struct({
  id: StoreId.annotate({ description: "Same as store_id", examples: ["s-17"] }),
  store_id: StoreId,
  interval_minutes: IntervalMinutes,
  enabled,
  priority: TaskPriority,
  last_run_at: Schema.NullOr(instant("Time of the last queued crawl")),
  next_run_at: Schema.NullOr(instant("Time of the next crawl; null if disabled")),
  updated_at: instant("Time of the last change by a user")
}).annotate({ identifier: "CrawlSchedule" })
export interface CrawlSchedule extends Schema.Schema.Type<typeof CrawlSchedule> {}

/** All schedules, by store id. */
export const CrawlScheduleList = Schema.Struct({
  schedules: Schema.Array(CrawlSchedule),
  total: Schema.Int
}).annotate({ identifier: "CrawlScheduleList" })

/**
 * The fields of a schedule that a user can set. An absent field keeps its value. A new schedule requires `interval_minutes`; by
 * default it is enabled and has priority 0.
 */
export const CrawlScheduleSettings = Schema.Struct({
  interval_minutes: Schema.optionalKey(IntervalMinutes),
  enabled: Schema.optionalKey(enabled),
  priority: Schema.optionalKey(TaskPriority)
}).annotate({
  identifier: "CrawlScheduleSettings",
  examples: [{ interval_minutes: 15, enabled: true, priority: 5 }]
})
export interface CrawlScheduleSettings extends Schema.Schema.Type<typeof CrawlScheduleSettings> {}

const minute = 60_000

/**
 * The time of the run after one that was due at `due` and is queued at `now`: one interval after `due` or, if that has passed, one interval
 * after `now`. So a single run makes up for any number of missed ones.
 */
export const nextRunAt = (due: Date, interval_minutes: number, now: Date): Date => {
  const interval = interval_minutes * minute
  const next = due.getTime() + interval
  return new Date(next > now.getTime() ? next : now.getTime() + interval)
}

/** Applies new settings to a schedule; `existing` is undefined if there is none. Fails if a new schedule has no interval. */
export const applySettings = (
  store_id: string,
  settings: CrawlScheduleSettings,
  existing: CrawlSchedule | undefined,
  now: Date
): Result.Result<CrawlSchedule, InvalidInput> => {
  const interval_minutes = settings.interval_minutes ?? existing?.interval_minutes
  if (interval_minutes === undefined) {
    return invalid(`interval_minutes is required: there is no schedule for the store ${store_id} yet`)
  }
  const enabled = settings.enabled ?? existing?.enabled ?? true
  const last_run_at = existing?.last_run_at ?? null
  // One interval after the last run, or now if that time has passed.
  const due = last_run_at === null ? 0 : last_run_at.getTime() + interval_minutes * minute
  return Result.succeed({
    id: store_id,
    store_id,
    interval_minutes,
    enabled,
    priority: settings.priority ?? existing?.priority ?? 0,
    last_run_at,
    next_run_at: enabled ? new Date(Math.max(due, now.getTime())) : null,
    updated_at: now
  })
}
