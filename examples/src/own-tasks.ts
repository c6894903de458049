/**
 * Your own work in the task queue: a kind with a typed payload, its handler, and a worker that runs and retries it.
 *
 * Here the queue is in memory. With `TaskQueueSql` and `TaskLeasesSql` of `@clicks/sql-adapter/tasks` it is in PostgreSQL, and
 * any number of worker processes can share it. To accept such tasks over HTTP, too, pass the kind to `TaskKinds.layerWith`.
 */
import { enqueueTask } from "@clicks/core/tasks/enqueueTask"
import * as TaskKind from "@clicks/core/tasks/TaskKind"
import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import * as TasksMemory from "@clicks/core/testing/TasksMemory"
import * as TaskWorker from "@clicks/worker/tasks/TaskWorker"
import { Console, Effect, Layer, Option, Schema } from "effect"

const Greeting = TaskKind.make("greeting", Schema.Struct({ to: Schema.NonEmptyString }))

// The first attempt fails and is retried after a delay, which is very short here.
const greet = TaskKind.handler(Greeting, ({ to }, { attempt }) =>
  attempt === 1
    ? new TaskKind.TaskFailure({ message: "Nobody is at home", retryable: true })
    : Console.log(`Hello, ${to}!`)
)

const Worker = TaskWorker.layer([greet], {
  maxConcurrentTasks: 2,
  pollEvery: "20 millis",
  retryDelays: { first: "50 millis", longest: "1 second" }
})

export const program = Effect.gen(function* () {
  const { id } = yield* enqueueTask(Greeting, { to: "Zoë" }, { priority: 10 })
  const queue = yield* TaskQueue
  const done = yield* Effect.repeat(Effect.delay(queue.get(id), "10 millis"), {
    until: Option.exists((task) => task.state === "succeeded")
  })
  return Option.getOrThrow(done)
}).pipe(Effect.provide(Worker.pipe(Layer.provideMerge(TasksMemory.layer))))

if (import.meta.main) {
  const { attempts, state } = await Effect.runPromise(program)
  console.log(`${state} after ${attempts} attempts`)
}
