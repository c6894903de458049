import type { ClickFilter } from "@clicks/core/clicks/ClickFilter"
import * as ClickQuery from "@clicks/core/clicks/ClickQuery"
import { followClicks } from "@clicks/core/clicks/followClicks"
import { Spool } from "@clicks/core/clicks/recording/Spool"
import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { Clock, Effect, Ref, Schedule, Stream } from "effect"
import { CommandFailed, orUsageError, toParameters } from "../CommandError.ts"
import * as SpoolLayer from "../clicks/SpoolLayer.ts"
import { type TimeOptions, timeZoneOf } from "../clicks/timeOptions.ts"
import * as Database from "../Database.ts"
import * as FullScreen from "../terminal/FullScreen.ts"
import { grouped } from "../terminal/format.ts"
import * as Output from "../terminal/Output.ts"
import { visibleText } from "../terminal/visibleText.ts"
import { Activity } from "./Activity.ts"
import { frame, type Surroundings } from "./frame.ts"

const unknown = "unknown"

const spoolText = Effect.gen(function* () {
  if (!(yield* SpoolLayer.exists)) return "empty"
  const { depth } = yield* Spool.use((spool) => spool.status).pipe(Effect.provide(SpoolLayer.layer))
  return depth === 0 ? "empty" : `${grouped(depth)} waiting`
}).pipe(Effect.orElseSucceed(() => unknown))

const taskTotal = (state: "running" | "ready" | "scheduled" | "failed") =>
  TaskQueue.use((queue) => queue.list({ state, limit: 1, offset: 0 })).pipe(
    Effect.map(({ total }) => `${grouped(total)} ${state}`)
  )

const tasksText = Effect.forEach(["running", "ready", "scheduled", "failed"] as const, taskTotal).pipe(
  Effect.map((texts) => texts.join(", ")),
  Effect.orElseSucceed(() => unknown)
)

const filterText = (filter: ClickFilter): string =>
  Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => visibleText(`${name}=${value instanceof Date ? value.toISOString() : value}`))
    .join(" ")

const live = Effect.fnUntraced(function* (filter: ClickFilter, options: TimeOptions) {
  const activity = new Activity(yield* Clock.currentTimeMillis)
  const surroundings = yield* Ref.make<Surroundings>({
    isAway: false,
    spool: unknown,
    tasks: unknown,
    filter: filterText(filter)
  })
  const note = (change: Partial<Surroundings>) => Ref.update(surroundings, (all) => ({ ...all, ...change }))
  const look = Effect.gen(function* () {
    yield* note({ spool: yield* spoolText })
    yield* note({ tasks: yield* tasksText })
  })
  const follow = {
    onStart: Effect.void,
    onAway: () => note({ isAway: true }),
    onBack: note({ isAway: false })
  }
  const count = Stream.runForEachArray(followClicks(filter, follow), (clicks) =>
    Effect.map(Clock.currentTimeMillis, (now) => activity.add(clicks, now))
  )
  const screen = yield* FullScreen.open
  const timeZone = timeZoneOf(options)
  const draw = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    yield* screen.show(frame(activity, yield* Ref.get(surroundings), screen.size(), timeZone, now))
    yield* Effect.raceFirst(Effect.sleep("500 millis"), screen.resized)
  })
  const shown = Effect.all([Effect.repeat(look, Schedule.spaced("2 seconds")), Effect.forever(draw), count], {
    concurrency: "unbounded",
    discard: true
  })
  yield* Effect.raceFirst(screen.left, shown)
}, Effect.scoped)

/** `clicks top`: a live view of the clicks that are being stored, until the user leaves it. */
export const top = Effect.fn("top")(function* (options: TimeOptions) {
  const filter = yield* orUsageError(ClickQuery.parseFilter(toParameters(options)))
  if (!Output.isTerminal())
    return yield* new CommandFailed({
      message: 'The output of "clicks top" must be a terminal. For a pipe or a file, use "clicks tail"'
    })
  yield* live(filter, options).pipe(Effect.provide(Database.layer))
})
