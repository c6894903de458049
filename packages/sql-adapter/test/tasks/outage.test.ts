import { TaskLeases } from "@clicks/core/tasks/TaskLeases"
import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { PortError } from "@clicks/core/values/PortError"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Queue, Stream } from "effect"
import { enqueue, get, list, newTask, take, until } from "../../../core/test/contract/tasks/taskSteps.ts"
import * as Database from "../../src/Database.ts"
import { migrate } from "../../src/migrations/migrate.ts"
import * as TaskLeasesSql from "../../src/tasks/TaskLeasesSql.ts"
import * as TaskQueueSql from "../../src/tasks/TaskQueueSql.ts"
import * as DatabaseProxy from "../DatabaseProxy.ts"
import * as TestDatabase from "../TestDatabase.ts"

const tasks = Layer.merge(TaskQueueSql.layer, TaskLeasesSql.layer)

const throughProxy = Layer.unwrap(
  DatabaseProxy.DatabaseProxy.useSync(({ url }) => tasks.pipe(Layer.provide(Database.layer({ url }))))
).pipe(Layer.provideMerge(DatabaseProxy.layer), Layer.provideMerge(TestDatabase.layer))

layer(throughProxy, { excludeTestServices: true })("the task queue, when the database goes away", (it) => {
  it.effect("fails with PortError, and works after the database has recovered", () =>
    Effect.gen(function* () {
      const proxy = yield* DatabaseProxy.DatabaseProxy
      yield* proxy.stop
      const task = newTask()
      assert.instanceOf(yield* Effect.flip(enqueue(task)), PortError)
      assert.instanceOf(yield* Effect.flip(take(1)), PortError)
      assert.instanceOf(yield* Effect.flip(list()), PortError)
      yield* proxy.start
      yield* until(Effect.result(enqueue(task)), (result) => result._tag === "Success")
      assert.deepStrictEqual(
        (yield* take(5)).map(({ id }) => id),
        [task.id]
      )
    })
  )

  it.effect("emits Ready when its signals reconnect, because some may have been missed", () =>
    Effect.gen(function* () {
      const proxy = yield* DatabaseProxy.DatabaseProxy
      const { signals } = yield* TaskLeases
      const heard = yield* Queue.unbounded<string>()
      yield* Effect.forkScoped(Stream.runForEach(signals, ({ _tag }) => Queue.offer(heard, _tag)))
      assert.strictEqual(yield* Queue.take(heard), "Ready")
      yield* proxy.stop
      yield* proxy.start
      assert.strictEqual(yield* Queue.take(heard), "Ready")
      yield* Queue.clear(heard)
      yield* enqueue(newTask())
      assert.strictEqual(yield* Queue.take(heard), "Ready")
    })
  )
})

layer(tasks.pipe(Layer.provideMerge(TestDatabase.layerEmpty)), { excludeTestServices: true })(
  "the task queue, on a database without a schema",
  (it) => {
    it.effect("fails, and works once it is migrated", () =>
      Effect.gen(function* () {
        const task = newTask()
        assert.instanceOf(yield* Effect.flip(enqueue(task)), PortError)
        yield* migrate
        yield* enqueue(task)
        assert.isTrue((yield* get(task.id))._tag === "Some")
        assert.isTrue(yield* TaskQueue.use((queue) => Effect.as(queue.list({ limit: 1, offset: 0 }), true)))
      })
    )
  }
)
