import type { NewTask, Task } from "@clicks/core/tasks/Task"
import type { TaskFailure } from "@clicks/core/tasks/TaskKind"
import * as TaskKind from "@clicks/core/tasks/TaskKind"
import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import * as Uuid from "@clicks/core/values/Uuid"
import { Effect, Option, Schema } from "effect"
import { TestClock } from "effect/testing"

/** A kind of task for tests; its payload is a number. */
export const numbered = TaskKind.make("numbered", Schema.Struct({ n: Schema.Int }))

export const onNumber = <R = never>(
  run: (n: number, about: TaskKind.TaskRun) => Effect.Effect<void, TaskFailure, R>
): TaskKind.TaskHandler<R> => TaskKind.handler(numbered, ({ n }, about) => run(n, about))

export const newTask = (n: number, fields: Partial<NewTask> = {}): NewTask => ({
  id: Uuid.make(Date.now()),
  kind: numbered.name,
  payload: { n },
  priority: 0,
  run_at: null,
  max_attempts: 5,
  batch_id: null,
  ...fields
})

export const enqueue = (...tasks: ReadonlyArray<NewTask>) => TaskQueue.use((queue) => queue.enqueue(tasks))

/** Creates one and returns its id. */
export const enqueueOne = Effect.fnUntraced(function* (n: number, fields: Partial<NewTask> = {}) {
  const task = newTask(n, fields)
  yield* enqueue(task)
  return task.id
})

export const task = (id: string) =>
  Effect.map(
    TaskQueue.use((queue) => queue.get(id)),
    Option.getOrThrow
  )

export const all = Effect.map(
  TaskQueue.use((queue) => queue.list({ limit: 1000, offset: 0 })),
  ({ tasks }) => tasks
)

/** Lets time pass in small steps until the task meets the condition. */
export const passUntil = <A, E, R>(effect: Effect.Effect<A, E, R>, wished: (a: A) => boolean) =>
  Effect.gen(function* () {
    for (let step = 0; step < 20_000; step++) {
      const found = yield* effect
      if (wished(found)) return found
      yield* TestClock.adjust("50 millis")
    }
    return yield* Effect.die("It never came to be")
  })

export const passUntilState = (id: string, state: Task["state"]) =>
  passUntil(task(id), (found) => found.state === state)
