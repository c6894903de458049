import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { fail, purge, retry, takeNew, task, until } from "../../../core/test/contract/tasks/taskSteps.ts"
import * as TaskLeasesSql from "../../src/tasks/TaskLeasesSql.ts"
import * as TaskQueueSql from "../../src/tasks/TaskQueueSql.ts"
import * as TestDatabase from "../TestDatabase.ts"

const tasks = Layer.mergeAll(TaskQueueSql.layer, TaskLeasesSql.layer).pipe(
  Layer.provideMerge(TestDatabase.layer)
)

layer(tasks, { excludeTestServices: true })("purge", (it) => {
  it.effect("keeps an old task that is retried at the same time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const lease = yield* takeNew()
      yield* fail(lease, { error: "refused", retryIn: null })
      const [retried, commit] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const retrying = yield* retry(lease.id).pipe(
        Effect.andThen(Deferred.succeed(retried, undefined)),
        Effect.andThen(Deferred.await(commit)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(retried)
      const purging = yield* Effect.forkChild(purge(new Date(Date.now() + 60_000)))
      yield* until(
        sql`select from pg_stat_activity where datname = current_database()
          and query like '%delete from tasks%' and wait_event_type = 'Lock'`,
        (waiting) => waiting.length > 0
      )
      yield* Deferred.succeed(commit, undefined)
      yield* Fiber.join(retrying)
      assert.strictEqual(yield* Fiber.join(purging), 0)
      assert.strictEqual((yield* task(lease.id)).state, "ready")
    })
  )
})
