import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { storeCrawl } from "@clicks/core/tasks/storeTasks"
import * as TaskKind from "@clicks/core/tasks/TaskKind"
import { TaskLeases } from "@clicks/core/tasks/TaskLeases"
import * as TasksMemory from "@clicks/core/testing/TasksMemory"
import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as Database from "../../../sql-adapter/src/Database.ts"
import * as CrawlSchedulesSql from "../../../sql-adapter/src/tasks/CrawlSchedulesSql.ts"
import * as TaskLeasesSql from "../../../sql-adapter/src/tasks/TaskLeasesSql.ts"
import * as TaskQueueSql from "../../../sql-adapter/src/tasks/TaskQueueSql.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import * as CrawlScheduler from "../../src/tasks/CrawlScheduler.ts"
import * as TaskJanitor from "../../src/tasks/TaskJanitor.ts"
import * as TaskWorker from "../../src/tasks/TaskWorker.ts"
import { all, enqueueOne } from "./workerSteps.ts"

const put = (store_id: string) =>
  CrawlSchedules.use((schedules) => schedules.put(store_id, { interval_minutes: 60 }))

const crawled: Array<string> = []
const handler = TaskKind.handler(storeCrawl, ({ store_id }) => Effect.sync(() => void crawled.push(store_id)))

/** A worker with a scheduler and its own connections. `looks` counts how often it looks for due schedules. */
const startWorker = Effect.gen(function* () {
  const looks = { count: 0 }
  const { url } = yield* TestDatabase.TestDatabase
  const counted = Layer.effect(
    CrawlSchedules,
    CrawlSchedules.useSync((schedules) => ({
      ...schedules,
      fireDue: Effect.suspend(() => {
        looks.count++
        return schedules.fireDue
      })
    }))
  ).pipe(Layer.provide(CrawlSchedulesSql.layer))
  const worker = Layer.mergeAll(
    TaskWorker.layer([handler]).pipe(Layer.provide(TaskLeasesSql.layer)),
    CrawlScheduler.layer("10 millis").pipe(Layer.provide(counted))
  )
  yield* Layer.build(Layer.fresh(worker.pipe(Layer.provide(Database.layer({ url })))))
  return looks
})

layer(Layer.merge(TaskQueueSql.layer, CrawlSchedulesSql.layer).pipe(Layer.provideMerge(TestDatabase.layer)), {
  excludeTestServices: true
})("three workers with a scheduler each", (test) => {
  test.effect("make up for missed runs once, and then wait for the interval", () =>
    Effect.gen(function* () {
      yield* put("s-1")
      yield* put("s-2")
      const workers = yield* Effect.all([startWorker, startWorker, startWorker])
      yield* Effect.repeat(Effect.delay(all, "10 millis"), {
        until: (tasks) =>
          tasks.length >= 2 &&
          tasks.every(({ state }) => state === "succeeded") &&
          workers.every(({ count }) => count > 20)
      })
      assert.strictEqual((yield* all).length, 2)
      assert.sameMembers(crawled, ["s-1", "s-2"])
    })
  )
})

it.effect("keeps finished tasks for 14 days", () =>
  Effect.gen(function* () {
    yield* enqueueOne(1)
    const leases = yield* TaskLeases
    yield* Effect.flatMap(leases.take(1, []), leases.succeed)
    yield* TestClock.adjust("13 days")
    assert.strictEqual((yield* all).length, 1)
    yield* TestClock.adjust("25 hours")
    assert.deepStrictEqual(yield* all, [])
  }).pipe(Effect.provide(TaskJanitor.layer.pipe(Layer.provideMerge(TasksMemory.layer))))
)
