import { Clock, Effect, Schema } from "effect"
import type { InvalidInput } from "../values/InvalidInput.ts"
import type { PortError } from "../values/PortError.ts"
import * as Uuid from "../values/Uuid.ts"
import { defaultMaxAttempts, type Task } from "./Task.ts"
import { normalize, type TaskKind } from "./TaskKind.ts"
import { TaskQueue } from "./TaskQueue.ts"

export interface EnqueueOptions {
  /** The earliest start; without it, at once. */
  readonly run_at?: Date
  readonly priority?: number
  readonly max_attempts?: number
}

/** Queues one task from a program's own code. Fails with `InvalidInput` for a payload that cannot be stored. */
export const enqueueTask: <Payload>(
  kind: TaskKind<Payload>,
  payload: Payload,
  options?: EnqueueOptions
) => Effect.Effect<Task, InvalidInput | PortError, TaskQueue> = Effect.fn("enqueueTask")(function* (
  kind,
  payload,
  { max_attempts = defaultMaxAttempts, priority = 0, run_at } = {}
) {
  const stored = yield* Effect.fromResult(normalize(kind, Schema.encodeSync(kind.payload)(payload)))
  const id = Uuid.make(yield* Clock.currentTimeMillis)
  const [task] = yield* TaskQueue.use((queue) =>
    queue.enqueue([
      { id, kind: kind.name, payload: stored, priority, run_at: run_at ?? null, max_attempts, batch_id: null }
    ])
  )
  return task ?? (yield* Effect.die(`The queue did not answer with the task ${id}`))
})
