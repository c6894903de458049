import { storeIdProblem } from "@clicks/core/stores/Store"
import { Stores } from "@clicks/core/stores/Stores"
import { CrawlSchedule, CrawlScheduleSettings } from "@clicks/core/tasks/CrawlSchedule"
import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { decodeBody } from "@clicks/core/values/InvalidInput"
import { Effect, Option, Schema } from "effect"
import { CommandFailed, exitCodes, orUsageError, UsageError } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { countOf } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { visibleText } from "../terminal/visibleText.ts"
import * as TaskPorts from "./TaskPorts.ts"
import { scheduleTable, whereShown } from "./taskTables.ts"
import { typedNumber } from "./typedNumber.ts"

interface Format {
  readonly json: boolean
}

export interface SetOptions extends Format {
  readonly intervalMinutes?: string
  readonly enabled?: "true" | "false"
  readonly priority?: string
}

/** `clicks schedules list`. */
export const listSchedules = Effect.fn("listSchedules")(function* ({ json }: Format) {
  const schedules = yield* CrawlSchedules.use(({ list }) => list).pipe(Effect.provide(TaskPorts.layer))
  if (json) yield* Output.json({ schedules, total: schedules.length })
  else {
    if (schedules.length > 0) yield* Output.line(scheduleTable(schedules, yield* whereShown))
    yield* Output.footer(countOf(schedules.length, "schedule"))
  }
  return exitCodes.done
})

const intervalRequired = (store: string) =>
  new UsageError({
    message: `There is no schedule for the store ${visibleText(store)}. To create one, add --interval-minutes`
  })

// A schedule may be set before the first discovery; but who misspells a store learns of it here, not by failed crawls.
const putSchedule = Effect.fnUntraced(function* (store: string, settings: CrawlScheduleSettings) {
  const put = yield* CrawlSchedules.use((schedules) => schedules.put(store, settings)).pipe(
    Effect.catchTag("InvalidInput", () => intervalRequired(store))
  )
  const found = yield* Stores.use((stores) => stores.get(store))
  return { ...put, isKnown: Option.isSome(found) }
})

const stillUnknown = (store: string): string =>
  `Store ${visibleText(store)} is unknown. Its crawls fail until "clicks tasks discover" finds it`

/** `clicks schedules set`. */
export const setSchedule = Effect.fn("setSchedule")(function* (
  store: string,
  { enabled, intervalMinutes, json, priority }: SetOptions
) {
  const problem = storeIdProblem(store)
  if (problem !== undefined) return yield* new UsageError({ message: `The store's id ${problem}` })
  const given = yield* orUsageError(
    decodeBody(CrawlScheduleSettings, {
      ...(intervalMinutes !== undefined && { interval_minutes: typedNumber(intervalMinutes) }),
      ...(enabled !== undefined && { enabled: enabled === "true" }),
      ...(priority !== undefined && { priority: typedNumber(priority) })
    })
  )
  const { created, isKnown, schedule } = yield* putSchedule(store, given).pipe(
    Effect.provide([TaskPorts.layer, Database.layer])
  )
  if (json) yield* Output.json(Schema.encodeSync(CrawlSchedule)(schedule))
  else {
    yield* Output.line(scheduleTable([schedule], yield* whereShown))
    yield* Output.note(`Schedule of store ${visibleText(store)} ${created ? "created" : "updated"}`)
    if (!isKnown) yield* Output.note(stillUnknown(store))
  }
  return exitCodes.done
})

/** `clicks schedules delete`. */
export const deleteSchedule = Effect.fn("deleteSchedule")(function* (store: string, { json }: Format) {
  const removed = yield* CrawlSchedules.use((schedules) => schedules.remove(store)).pipe(
    Effect.provide(TaskPorts.layer)
  )
  const shown = visibleText(store)
  if (!removed) return yield* new CommandFailed({ message: `There is no schedule for the store ${shown}` })
  if (json) yield* Output.json({ id: store })
  else yield* Output.note(`Schedule of store ${shown} deleted`)
  return exitCodes.done
})
