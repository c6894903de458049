import { Clock, Effect, Result, Schema } from "effect"
import { parseInstant } from "../values/Instant.ts"
import { type InvalidInput, invalid, within } from "../values/InvalidInput.ts"
import * as Uuid from "../values/Uuid.ts"
import { newTask, TaskPriority } from "./Task.ts"
import type { QueuedBatch } from "./TaskBatch.ts"
import { check, TaskKinds } from "./TaskKinds.ts"
import { TaskQueue } from "./TaskQueue.ts"

export const maxBatchTasks = 1000
export const maxDelaySeconds = 86_400

const StaggeredTask = Schema.Struct({
  kind: Schema.String.annotate({ examples: ["store-crawl"] }),
  payload: Schema.Json.annotate({
    description: "Input of the task, as its kind requires",
    examples: [{ store_id: "s-17" }]
  }),
  priority: Schema.optionalKey(TaskPriority)
})

export const DelaySeconds = Schema.Finite.check(
  Schema.isBetween(
    { minimum: 0, maximum: maxDelaySeconds },
    { message: `must be a number of seconds, from 0 to ${maxDelaySeconds}` }
  )
)

/** A batch of tasks. Task n, counted from 0, may start n × `delay_seconds` after `start_at`. */
export const StaggeredTasks = Schema.Struct({
  tasks: Schema.Array(StaggeredTask).check(
    Schema.isBetweenLength(1, maxBatchTasks, { message: `must have 1 to ${maxBatchTasks} tasks` })
  ),
  delay_seconds: DelaySeconds.annotate({ description: "Seconds between tasks", examples: [30] }),
  start_at: Schema.optionalKey(
    Schema.String.annotate({
      description: "Start of the first task, ISO 8601, at most a year ahead; default: now",
      format: "date-time",
      examples: ["2026-11-20T10:00:00Z"]
    })
  )
}).annotate({
  identifier: "StaggeredTasks",
  examples: [{ tasks: [{ kind: "store-crawl", payload: { store_id: "s-17" } }], delay_seconds: 30 }]
})
export interface StaggeredTasks extends Schema.Schema.Type<typeof StaggeredTasks> {}

const year = 366 * 86_400_000

const startOf = (text: string | undefined, now: number): Result.Result<number, InvalidInput> => {
  if (text === undefined) return Result.succeed(now)
  const instant = parseInstant(text)?.getTime()
  return instant === undefined || instant > now + year
    ? invalid("start_at must be an ISO 8601 date-time, such as 2026-11-20T10:00:00Z, at most a year ahead")
    : Result.succeed(instant)
}

// A task that is already due gets no time: null makes it ready by the clock of the queue.
const runAt = (millis: number, now: number): Date | null => (millis <= now ? null : new Date(millis))

/**
 * Creates a batch, as a whole or not at all. Fails with `InvalidInput` for the first task whose kind is unknown or whose payload does not
 * match its kind.
 */
export const enqueueStaggered = Effect.fn("enqueueStaggered")(function* ({
  delay_seconds,
  start_at,
  tasks
}: StaggeredTasks) {
  const kinds = yield* TaskKinds
  const now = yield* Clock.currentTimeMillis
  const start = yield* Effect.fromResult(startOf(start_at, now))
  const batch_id = Uuid.make(now)
  const checked = yield* Effect.forEach(tasks, ({ kind, payload, priority = 0 }, index) =>
    Effect.map(
      Effect.fromResult(within((message) => `tasks.${index}: ${message}`)(check(kinds, kind, payload))),
      (stored) => {
        const run_at = runAt(start + Math.round(index * delay_seconds * 1000), now)
        return newTask({ kind, payload: stored, priority, run_at, batch_id }, now)
      }
    )
  )
  const made = yield* TaskQueue.use((queue) => queue.enqueue(checked))
  const queued = made.map(({ id, kind, payload, run_at }) => ({ id, kind, payload, run_at }))
  return { batch_id, tasks: queued, total: queued.length } satisfies QueuedBatch
})
