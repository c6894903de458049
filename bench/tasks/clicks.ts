import { Effect, Layer, Queue, Redacted, Schema } from "effect"
import type { NewTask } from "../../packages/core/src/tasks/Task.ts"
import * as TaskKind from "../../packages/core/src/tasks/TaskKind.ts"
import { TaskQueue } from "../../packages/core/src/tasks/TaskQueue.ts"
import * as Uuid from "../../packages/core/src/values/Uuid.ts"
import * as Database from "../../packages/sql-adapter/src/Database.ts"
import { migrate } from "../../packages/sql-adapter/src/migrations/migrate.ts"
import * as TaskLeasesSql from "../../packages/sql-adapter/src/tasks/TaskLeasesSql.ts"
import * as TaskQueueSql from "../../packages/sql-adapter/src/tasks/TaskQueueSql.ts"
import * as TaskWorker from "../../packages/worker/src/tasks/TaskWorker.ts"
import { type Contestant, type Figures, singles, slots } from "./Contestant.ts"
import { watching } from "./watching.ts"

const empty = TaskKind.make("empty", Schema.Struct({}))

const newTask = (): NewTask => ({
  id: Uuid.make(Date.now()),
  kind: empty.name,
  payload: {},
  priority: 0,
  run_at: null,
  max_attempts: 5,
  batch_id: null
})

const held = "select count(*)::int as held from tasks where state = 'running'"
const unended = Effect.map(
  TaskQueue.use((queue) => queue.list({ state: "running", limit: 1, offset: 0 })),
  ({ total }) => total
)

/** The worker of this service. */
export const clicks: Contestant = (url, tasks) => {
  const database = Database.layer({ url: Redacted.make(url) })
  const ports = Layer.mergeAll(TaskQueueSql.layer, TaskLeasesSql.layer).pipe(Layer.provideMerge(database))

  const rateOf = Effect.gen(function* () {
    const queue = yield* TaskQueue
    for (let made = 0; made < tasks; made += 1000) {
      yield* queue.enqueue(Array.from({ length: Math.min(1000, tasks - made) }, newTask))
    }
    const started = yield* Queue.unbounded<void>()
    const worker = TaskWorker.layer([TaskKind.handler(empty, () => Queue.offer(started, undefined))], {
      maxConcurrentTasks: slots
    })
    const begin = performance.now()
    return yield* Effect.gen(function* () {
      yield* Queue.takeN(started, tasks)
      yield* Effect.repeat(unended, { until: (count) => count === 0 })
      return tasks / ((performance.now() - begin) / 1000)
    }).pipe(Effect.provide(worker))
  })

  const latenciesOf = Effect.gen(function* () {
    const queue = yield* TaskQueue
    const started = yield* Queue.unbounded<number>()
    const note = Effect.asVoid(Effect.suspend(() => Queue.offer(started, performance.now())))
    const latency = Effect.gen(function* () {
      yield* Effect.sleep("30 millis")
      const begin = performance.now()
      yield* queue.enqueue([newTask()])
      return (yield* Queue.take(started)) - begin
    })
    return yield* Effect.all(Array.from({ length: singles }, () => latency)).pipe(
      Effect.provide(TaskWorker.layer([TaskKind.handler(empty, () => note)], { maxConcurrentTasks: slots }))
    )
  })

  const run = <A, E>(effect: Effect.Effect<A, E, Layer.Success<typeof ports>>) =>
    Effect.runPromise(Effect.provide(effect, ports))

  return run(migrate).then(async (): Promise<Figures> => {
    const { most, result: rate } = await watching(url, held, () => run(rateOf))
    return { rate, heldMost: most, latencies: await run(latenciesOf) }
  })
}
