import { Clock, Effect, Schema } from "effect"
import { type NewTask, newTask } from "./Task.ts"
import { normalize, type TaskKind } from "./TaskKind.ts"
import { TaskQueue } from "./TaskQueue.ts"

/** `run_at` is the earliest start; by default, the task starts immediately. */
export type EnqueueOptions = Partial<Pick<NewTask, "run_at" | "priority" | "max_attempts">>

/** Queues one task from an embedding program. Fails with `InvalidInput` if the payload cannot be stored. */
export const enqueueTask = Effect.fn("enqueueTask")(function* <Payload>(
  kind: TaskKind<Payload>,
  payload: Payload,
  options: EnqueueOptions = {}
) {
  const stored = yield* Effect.fromResult(normalize(kind, Schema.encodeSync(kind.payload)(payload)))
  const queued = newTask({ ...options, kind: kind.name, payload: stored }, yield* Clock.currentTimeMillis)
  const [task] = yield* TaskQueue.use((queue) => queue.enqueue([queued]))
  return task ?? (yield* Effect.die(`The queue did not return the task ${queued.id}`))
})
