import type { ServerResponse } from "node:http"
import { StorePayloads } from "@clicks/core/stores/StorePayloads"
import { Stores } from "@clicks/core/stores/Stores"
import { enqueueDiscovery } from "@clicks/core/tasks/enqueueDiscovery"
import { enqueueStaggered } from "@clicks/core/tasks/enqueueStaggered"
import * as TaskKinds from "@clicks/core/tasks/TaskKinds"
import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import * as StorePayloadsSql from "../../../sql-adapter/src/stores/StorePayloadsSql.ts"
import * as StoresSql from "../../../sql-adapter/src/stores/StoresSql.ts"
import * as TaskQueueSql from "../../../sql-adapter/src/tasks/TaskQueueSql.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import * as TestWeb from "../../../worker/test/stores/TestWeb.ts"
import { bare, clicks, folderLayer, onTestDatabase } from "../clicks.ts"
import { runService } from "../service/runningService.ts"
import { startWorker } from "./RunningWorker.ts"

const batchOf = (id: string) =>
  Effect.map(
    TaskQueue.use((queue) => queue.batch(id)),
    Option.getOrThrow
  )

const untilEnded = (id: string) =>
  Effect.repeat(Effect.delay(batchOf(id), "30 millis"), { until: ({ progress }) => progress === 1 })

const adminKey = "an-admin-key-for-the-tests"

const ports = Layer.mergeAll(TaskQueueSql.layer, StoresSql.layer, StorePayloadsSql.layer, TaskKinds.layer)

layer(Layer.merge(ports.pipe(Layer.provideMerge(TestDatabase.layer)), folderLayer), {
  excludeTestServices: true
})("clicks worker", (test) => {
  test.effect("runs tasks, logs failures and serves its health", () =>
    Effect.gen(function* () {
      const { ready } = yield* startWorker({ MAX_CONCURRENT_TASKS: "3" })
      assert.strictEqual(ready.max_concurrent_tasks, 3)
      const { batch_id } = yield* enqueueDiscovery({ states: ["AZ"] })
      const { tasks } = yield* untilEnded(batch_id)
      assert.deepInclude(tasks[0], { state: "failed", attempts: 1 })
      assert.match(tasks[0]?.error ?? "", /^No store directory is configured: set CLICKS_DISCOVERY_URL/)

      const listed = yield* clicks(["tasks", "list"])
      assert.match(listed.stdout, /failed .*No store directory is configured: set CLICKS_DISCOVERY_URL .+$/m)
      assert.match(listed.stderr, /^1 of 1 task$/m)
      const shown = yield* clicks(["tasks", "show", tasks[0]?.id ?? ""])
      assert.include(shown.stdout, `error         ${tasks[0]?.error}\n`)

      // The queue records the end of a task before the worker has its response.
      const health = Effect.promise(async () => (await fetch(`${ready.health}/livez`)).text())
      yield* Effect.repeat(health, { until: (text) => text === '{"status":"ok","held":0}' })
      const metrics = yield* Effect.promise(async () => (await fetch(`${ready.health}/metrics`)).text())
      assert.include(metrics, 'clicks_task_attempts_total{kind="store-discovery",end="failed"} 1')
      assert.include(metrics, "clicks_tasks_held 0")
    })
  )

  test.effect("takes no more tasks on SIGTERM, finishes running ones and exits with 0", () =>
    Effect.gen(function* () {
      const web = yield* TestWeb.start
      const waiting: Array<ServerResponse> = []
      const menu_url = web.page("/menu.json", (_, response) => void waiting.push(response))
      yield* Stores.use((stores) => stores.save([{ id: "s-1", name: null, state: null, menu_url }]))
      const { child, outcome, ready } = yield* startWorker({
        CLICKS_CRAWL_ALLOW_PRIVATE: "true",
        CLICKS_DISCOVRY_URL: "https://stores.example/{state}.json",
        MAX_CONCURRENT_TASKS: "1"
      })
      const crawl = { kind: "store-crawl", payload: { store_id: "s-1" } }
      const { batch_id } = yield* enqueueStaggered({ tasks: [crawl, crawl], delay_seconds: 0 })
      yield* Effect.repeat(Effect.delay(Effect.void, "20 millis"), { until: () => waiting.length === 1 })

      child.kill("SIGTERM")
      const answer = Effect.promise(
        async () => (await fetch(`${ready.health}/livez`).catch(() => undefined))?.status
      )
      yield* Effect.repeat(Effect.delay(answer, "20 millis"), { until: (status) => status !== 200 })
      assert.deepInclude((yield* batchOf(batch_id)).counts, { running: 1, ready: 1 })
      waiting[0]?.setHeader("content-type", "application/json").end('[{"product_id":"p-1"}]')

      const { code, stderr } = yield* Effect.promise(() => outcome)
      assert.strictEqual(code, 0, stderr)
      assert.include(
        stderr,
        "Ignoring the unknown setting CLICKS_DISCOVRY_URL. Did you mean CLICKS_DISCOVERY_URL?"
      )
      const { tasks } = yield* batchOf(batch_id)
      assert.deepStrictEqual(
        tasks.map(({ attempts, state }) => [state, attempts]),
        [
          ["succeeded", 1],
          ["ready", 0]
        ]
      )
      const page = yield* StorePayloads.use((payloads) =>
        payloads.query("s-1", { filter: {}, limit: 10, offset: 0, order: "asc" })
      )
      assert.strictEqual(page.total, 1)
      assert.strictEqual(waiting.length, 1)
    })
  )

  test.effect("advises another port when its own is in use", () =>
    Effect.gen(function* () {
      const { ready } = yield* startWorker()
      const port = new URL(ready.health ?? "").port
      const { code, stderr } = yield* clicks(["worker", "--port", port])
      assert.match(stderr, /^clicks: Cannot listen on 127\.0\.0\.1:\d+: the port is in use\. [^\n]+\n$/)
      assert.strictEqual(code, 1)
    })
  )

  test.effect("is part of clicks start", () =>
    Effect.gen(function* () {
      const env = { ...(yield* onTestDatabase), CLICKS_ADMIN_KEY: adminKey }
      const { url } = yield* runService(["start"], env)
      const answer = yield* Effect.promise(() =>
        fetch(`${url}/api/tasks/batch/store-discovery`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-api-key": adminKey },
          body: '{"states":["DC"]}'
        })
      )
      assert.strictEqual(answer.status, 202)
      const { batch_id } = (yield* Effect.promise(() => answer.json())) as { readonly batch_id: string }
      assert.strictEqual((yield* untilEnded(batch_id)).counts.failed, 1)
    })
  )
})

describe("MAX_CONCURRENT_TASKS", () => {
  it.live(
    "is rejected in one line by clicks start and clicks worker unless it is a positive whole number",
    () =>
      Effect.gen(function* () {
        for (const [command, value] of [
          ["start", "0"],
          ["start", "-1"],
          ["start", "abc"],
          ["worker", "0"]
        ] as const) {
          const { code, stderr, stdout } = yield* bare([command], { MAX_CONCURRENT_TASKS: value })
          assert.deepStrictEqual([code, stdout], [1, ""])
          assert.match(stderr, /^clicks: Invalid MAX_CONCURRENT_TASKS .*Expected 1 or more[^\n]*\n$/)
        }
      }).pipe(Effect.provide(folderLayer))
  )
})
