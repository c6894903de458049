import { StorePayloads } from "@clicks/core/stores/StorePayloads"
import { Stores } from "@clicks/core/stores/Stores"
import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { enqueueDiscovery } from "@clicks/core/tasks/enqueueDiscovery"
import { isFinished } from "@clicks/core/tasks/Task"
import * as TaskKinds from "@clicks/core/tasks/TaskKinds"
import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as StorePayloadsSql from "../../../sql-adapter/src/stores/StorePayloadsSql.ts"
import * as StoresSql from "../../../sql-adapter/src/stores/StoresSql.ts"
import * as CrawlSchedulesSql from "../../../sql-adapter/src/tasks/CrawlSchedulesSql.ts"
import * as TaskQueueSql from "../../../sql-adapter/src/tasks/TaskQueueSql.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import * as TestMarket from "../../../worker/test/stores/TestMarket.ts"
import { json, type Page } from "../../../worker/test/stores/TestWeb.ts"
import { folderLayer } from "../clicks.ts"
import { startWorker } from "./RunningWorker.ts"

const ports = Layer.mergeAll(
  TaskQueueSql.layer,
  CrawlSchedulesSql.layer,
  StoresSql.layer,
  StorePayloadsSql.layer,
  TaskKinds.layer
)

const tasksOf = (kind: string) =>
  Effect.map(
    TaskQueue.use((queue) => queue.list({ kind, limit: 1000, offset: 0 })),
    ({ tasks }) => tasks
  )

const until = <A, E, R>(effect: Effect.Effect<A, E, R>, wished: (a: A) => boolean) =>
  Effect.repeat(Effect.delay(effect, "50 millis"), { until: wished })

/** A shop that takes a second to respond, and records requests for a store that is already being fetched. */
const slowShop = (menu: unknown, noteOverlap: () => void): Page => {
  let asking = 0
  return (request, response) => {
    if (++asking > 1) noteOverlap()
    response.on("close", () => asking--)
    setTimeout(() => json(menu)(request, response), 1000)
  }
}

layer(Layer.merge(ports.pipe(Layer.provideMerge(TestDatabase.layer)), folderLayer), {
  excludeTestServices: true
})("stores of three states, from discovery to products", (it) => {
  it.effect("are all crawled by two workers, one killed half-way, and never by both at once", () =>
    Effect.gen(function* () {
      const market = yield* TestMarket.start(["AZ", "CA", "NV"], 6)
      let overlaps = 0
      for (const { menu, path } of market.shops) {
        market.web.page(
          path,
          slowShop(menu, () => void overlaps++)
        )
      }
      const env = { CLICKS_DISCOVERY_URL: market.directoryUrl, CLICKS_CRAWL_ALLOW_PRIVATE: "true" }
      const [victim] = yield* Effect.all([startWorker(env), startWorker(env)], { concurrency: 2 })

      yield* enqueueDiscovery({ states: ["AZ", "CA", "NV"] })
      yield* until(tasksOf("store-discovery"), (tasks) => tasks.every(({ state }) => state === "succeeded"))
      const { stores, total } = yield* Stores.use((known) => known.list({ limit: 100, offset: 0 }))
      assert.strictEqual(total, market.shops.length)
      const schedules = yield* CrawlSchedules
      for (const { id } of stores) yield* schedules.put(id, { interval_minutes: 1440 })

      yield* until(
        tasksOf("store-crawl"),
        (tasks) => tasks.filter(({ state }) => state === "succeeded").length >= 4
      )
      victim?.child.kill("SIGKILL")
      const crawls = yield* until(
        tasksOf("store-crawl"),
        (tasks) => tasks.length === total && tasks.every(({ state }) => isFinished(state))
      )
      assert.isTrue(crawls.every(({ state }) => state === "succeeded"))
      assert.strictEqual(overlaps, 0)
      assert.isTrue(crawls.some(({ attempts }) => attempts > 1))

      const payloads = yield* StorePayloads
      for (const { id, menu } of market.shops) {
        const page = yield* payloads.query(id, { filter: {}, limit: 1000, offset: 0, order: "asc" })
        assert.strictEqual(page.total, menu.length)
        const { groups } = yield* payloads.aggregate(id, { filter: {}, group_by: "brand" })
        assert.strictEqual(
          groups.reduce((sum, { count }) => sum + count, 0),
          menu.length
        )
      }
      assert.strictEqual((yield* tasksOf("store-crawl")).length, total)
    })
  )
})
