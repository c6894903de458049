import { storeIdProblem } from "@clicks/core/stores/Store"
import { Stores } from "@clicks/core/stores/Stores"
import { CrawlSchedule, CrawlScheduleSettings } from "@clicks/core/tasks/CrawlSchedule"
import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { decode } from "@clicks/core/values/InvalidInput"
import { Effect, Option, Schema } from "effect"
import { CommandFailed, defined, orUsageError, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { table } from "../terminal/Table.ts"
import { visibleText } from "../terminal/visibleText.ts"
import { scheduleColumns } from "./taskTables.ts"

interface SetOptions extends Output.Format {
  readonly intervalMinutes?: number
  readonly enabled?: "true" | "false"
  readonly priority?: number
}

/** `clicks schedules list`. */
export const listSchedules = Effect.fn("listSchedules")(function* (format: Output.Format) {
  const schedules = yield* CrawlSchedules.use(({ list }) => list).pipe(Effect.provide(Database.layer))
  const answer = { schedules, total: schedules.length }
  yield* Output.list(format, answer, scheduleColumns(), schedules, countOf(schedules.length, "schedule"))
})

// A schedule may be created before the first discovery; a misspelt store is reported here, not only by failed crawls.
const putSchedule = Effect.fnUntraced(function* (store: string, settings: CrawlScheduleSettings) {
  const message = `There is no schedule for the store ${visibleText(store)}. To create one, add --interval-minutes`
  const put = yield* CrawlSchedules.use((schedules) => schedules.put(store, settings)).pipe(
    Effect.catchTag("InvalidInput", () => new UsageError({ message }))
  )
  const found = yield* Stores.use((stores) => stores.get(store))
  return { ...put, isKnown: Option.isSome(found) }
})

/** `clicks schedules set`. */
export const setSchedule = Effect.fn("setSchedule")(function* (
  store: string,
  { enabled, intervalMinutes, json, priority }: SetOptions
) {
  const problem = storeIdProblem(store)
  if (problem !== undefined) return yield* new UsageError({ message: `The store's id ${problem}` })
  const settings = yield* orUsageError(
    decode(
      CrawlScheduleSettings,
      defined({ interval_minutes: intervalMinutes, enabled: enabled && enabled === "true", priority })
    )
  )
  const { created, isKnown, schedule } = yield* putSchedule(store, settings).pipe(
    Effect.provide(Database.layer)
  )
  if (json) return yield* Output.json(Schema.encodeSync(CrawlSchedule)(schedule))
  const shown = visibleText(store)
  yield* Output.line(table(scheduleColumns(), [schedule], Output.width()))
  yield* Output.note(`Schedule of store ${shown} ${created ? "created" : "updated"}`)
  if (isKnown) return
  yield* Output.note(`Store ${shown} is unknown. Its crawls fail until "clicks tasks discover" finds it`)
})

/** `clicks schedules delete`. */
export const deleteSchedule = Effect.fn("deleteSchedule")(function* (store: string, format: Output.Format) {
  const removed = yield* CrawlSchedules.use((schedules) => schedules.remove(store)).pipe(
    Effect.provide(Database.layer)
  )
  const shown = visibleText(store)
  if (!removed) return yield* new CommandFailed({ message: `There is no schedule for the store ${shown}` })
  yield* Output.change(format, { id: store }, `Schedule of store ${shown} deleted`)
})
