import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Queue } from "effect"
import * as TaskLeasesSql from "../../../sql-adapter/src/tasks/TaskLeasesSql.ts"
import * as TaskQueueSql from "../../../sql-adapter/src/tasks/TaskQueueSql.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import * as TaskWorker from "../../src/tasks/TaskWorker.ts"
import { enqueue, enqueueOne, newTask, onNumber } from "./workerSteps.ts"

const count = (state: "running" | "succeeded") =>
  Effect.map(
    TaskQueue.use((queue) => queue.list({ state, limit: 1, offset: 0 })),
    ({ total }) => total
  )

const queue = Layer.merge(TaskQueueSql.layer, TaskLeasesSql.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

layer(queue, { excludeTestServices: true })("a worker on PostgreSQL", (it) => {
  it.effect("holds at most five of 3,000 tasks at once, and runs each once", () =>
    Effect.gen(function* () {
      const done: Array<number> = []
      yield* Layer.build(TaskWorker.layer([onNumber((n) => Effect.sync(() => void done.push(n)))]))
      yield* Effect.forEach([0, 1000, 2000], (from) =>
        enqueue(...Array.from({ length: 1000 }, (_, index) => newTask(from + index)))
      )
      let most = 0
      yield* Effect.repeat(
        Effect.all([count("running"), count("succeeded")]).pipe(
          Effect.tap(([running]) => {
            most = Math.max(most, running)
            return Effect.void
          })
        ),
        { until: ([, succeeded]) => succeeded === 3000 }
      )
      assert.isAtLeast(most, 1)
      assert.isAtMost(most, 5)
      assert.strictEqual(done.length, 3000)
      assert.strictEqual(new Set(done).size, 3000)
    })
  )

  it.effect("starts a new task when the queue announces it, before the next poll", () =>
    Effect.gen(function* () {
      const begun = yield* Queue.unbounded<number>()
      const handler = onNumber((n) => Effect.asVoid(Queue.offer(begun, n)))
      yield* Layer.build(TaskWorker.layer([handler], { pollEvery: "1 day" }))
      // The first may be found by the poll at the start; the others can only be found through the announcement.
      for (const n of [1, 2, 3, 4, 5]) {
        yield* enqueueOne(n)
        assert.strictEqual(yield* Queue.take(begun), n)
      }
    })
  )
})
