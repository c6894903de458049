import { Clock, Effect, Schema } from "effect"
import { type NewTask, newTask } from "./Task.ts"
import { normalize, type TaskKind } from "./TaskKind.ts"
import { TaskQueue } from "./TaskQueue.ts"

/** `run_at` is the earliest start; without it, at once. */
export type EnqueueOptions = Partial<Pick<NewTask, "run_at" | "priority" | "max_attempts">>

/** Queues one task from a program's own code. Fails with `InvalidInput` for a payload that cannot be stored. */
export const enqueueTask = Effect.fn("enqueueTask")(function* <Payload>(
  kind: TaskKind<Payload>,
  payload: Payload,
  options: EnqueueOptions = {}
) {
  const stored = yield* Effect.fromResult(normalize(kind, Schema.encodeSync(kind.payload)(payload)))
  const queued = newTask({ ...options, kind: kind.name, payload: stored }, yield* Clock.currentTimeMillis)
  const [task] = yield* TaskQueue.use((queue) => queue.enqueue([queued]))
  return task ?? (yield* Effect.die(`The queue did not answer with the task ${queued.id}`))
})
