import { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import { PortError } from "@clicks/core/values/PortError"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { testServer } from "../TestServer.ts"
import {
  asBatch,
  asQueued,
  asTask,
  crawls,
  discovery,
  posting,
  putting,
  schedules,
  staggered,
  taskServer
} from "./TaskServer.ts"

const unknown = "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a"

type Server = Effect.Success<typeof taskServer>

const queued = (server: Server, count: number, fields: object = {}) =>
  Effect.map(server.askAdmin(staggered, posting({ ...crawls(count), ...fields })), ({ json }) =>
    asQueued(json)
  )

const idsOf = (json: unknown) => (json as { tasks: ReadonlyArray<{ id: string }> }).tasks.map(({ id }) => id)

/** Takes a task like a worker. */
const taken = Effect.fnUntraced(function* (server: Server) {
  const [lease] = yield* server.leases.take(1, [])
  return lease ?? (yield* Effect.die("nothing to take"))
})

describe("GET /api/tasks/batch/{batch_id}", () => {
  it.live("returns the progress of a batch", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const { batch_id, tasks } = yield* queued(server, 5)
      const good = yield* taken(server)
      yield* server.leases.succeed([good])
      const bad = yield* taken(server)
      yield* server.leases.fail(bad, { error: "The shop is closed", retryIn: null })
      yield* taken(server)

      const { json, status } = yield* server.askAdmin(`/api/tasks/batch/${batch_id}`)
      assert.strictEqual(status, 200)
      const batch = asBatch(json)
      assert.deepStrictEqual(
        { ...batch, tasks: batch.tasks.map(({ error, id, state }) => ({ id, state, error })) },
        {
          batch_id,
          total: 5,
          counts: { scheduled: 0, ready: 2, running: 1, succeeded: 1, failed: 1, cancelled: 0 },
          progress: 0.4,
          tasks: [
            { id: tasks[0]?.id ?? "", state: "succeeded", error: null },
            { id: tasks[1]?.id ?? "", state: "failed", error: "The shop is closed" },
            { id: tasks[2]?.id ?? "", state: "running", error: null },
            { id: tasks[3]?.id ?? "", state: "ready", error: null },
            { id: tasks[4]?.id ?? "", state: "ready", error: null }
          ]
        }
      )
    })
  )

  it.live("returns 404 for an unknown batch", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      for (const id of [unknown, "x"]) {
        const { json, status } = yield* server.askAdmin(`/api/tasks/batch/${id}`)
        assert.deepStrictEqual([status, json], [404, { error: `There is no batch ${id}` }])
      }
    })
  )
})

describe("GET /api/tasks", () => {
  it.live("lists by state and kind, newest first, in pages with the total", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const batch = yield* queued(server, 3)
      yield* server.askAdmin(discovery, posting({ states: ["AZ", "CA"], stagger_seconds: 60 }))
      const list = (query: string) => server.askAdmin(`/api/tasks${query}`)
      const all = yield* list("")
      assert.deepInclude(all.json, { total: 5, limit: 100, offset: 0 })
      assert.deepStrictEqual(idsOf(all.json).slice(2), batch.tasks.map(({ id }) => id).toReversed())
      const page = yield* list("?limit=2&offset=1")
      assert.deepStrictEqual(idsOf(page.json), idsOf(all.json).slice(1, 3))
      assert.deepInclude(page.json, { total: 5, limit: 2, offset: 1 })
      for (const [query, total] of [
        ["?state=scheduled", 1],
        ["?state=ready", 4],
        ["?state=failed", 0],
        ["?kind=store-discovery", 2],
        ["?kind=store-discovery&state=ready", 1],
        ["?kind=nonsense", 0],
        ["?kind=&state=&limit=&offset=", 5],
        ["?offset=1000000", 5],
        ["?colour=red", 5]
      ] as const) {
        assert.deepInclude((yield* list(query)).json, { total }, query)
      }
    })
  )

  it.live("rejects invalid parameters", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      for (const [query, error] of [
        [
          "state=done",
          'state must be one of: scheduled, ready, running, succeeded, failed, cancelled; it is "done"'
        ],
        ["limit=0", 'limit must be a whole number, from 1 to 1000; it is "0"'],
        ["limit=1001", 'limit must be a whole number, from 1 to 1000; it is "1001"'],
        ["limit=abc", 'limit must be a whole number, from 1 to 1000; it is "abc"'],
        ["offset=-1", 'offset must be a whole number, 0 or more; it is "-1"'],
        ["offset=1.5", 'offset must be a whole number, 0 or more; it is "1.5"'],
        ["state=ready&state=failed", "state must be given only once"]
      ]) {
        const { json, status } = yield* server.askAdmin(`/api/tasks?${query}`)
        assert.deepStrictEqual([status, json], [400, { error }], query)
      }
    })
  )
})

describe("one task", () => {
  it.live("is returned with all its fields", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const { batch_id, tasks } = yield* queued(server, 1)
      const { json, status } = yield* server.askAdmin(`/api/tasks/${tasks[0]?.id}`)
      assert.strictEqual(status, 200)
      const { created_at, run_at, ...rest } = asTask(json)
      assert.deepStrictEqual(rest, {
        id: tasks[0]?.id ?? "",
        kind: "store-crawl",
        payload: { store_id: "s-0" },
        state: "ready",
        priority: 0,
        attempts: 0,
        max_attempts: 5,
        batch_id,
        error: null,
        started_at: null,
        finished_at: null
      })
      for (const time of [created_at, run_at]) assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    })
  )

  it.live("can be retried after it failed", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const { tasks } = yield* queued(server, 1)
      const path = `/api/tasks/${tasks[0]?.id}/retry`
      const early = yield* server.askAdmin(path, { method: "POST" })
      assert.deepStrictEqual(
        [early.status, early.json],
        [409, { error: "Only a failed task can be retried; this one is ready" }]
      )
      yield* server.leases.fail(yield* taken(server), { error: "closed", retryIn: null })
      const retried = yield* server.askAdmin(path, { method: "POST" })
      assert.strictEqual(retried.status, 200)
      assert.deepInclude(asTask(retried.json), {
        state: "ready",
        attempts: 1,
        error: "closed",
        finished_at: null
      })
    })
  )

  it.live("can be cancelled until it has ended", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const { tasks } = yield* queued(server, 2)
      const cancel = (index: number) =>
        server.askAdmin(`/api/tasks/${tasks[index]?.id}/cancel`, { method: "POST" })
      yield* server.leases.succeed([yield* taken(server)])
      const late = yield* cancel(0)
      assert.deepStrictEqual(
        [late.status, late.json],
        [409, { error: "Only an unfinished task can be cancelled; this one has succeeded" }]
      )
      yield* taken(server)
      for (let time = 0; time < 2; time++) {
        const cancelled = yield* cancel(1)
        assert.strictEqual(cancelled.status, 200)
        assert.strictEqual(asTask(cancelled.json).state, "cancelled")
      }
    })
  )

  it.live("returns 404 for unknown ids", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      for (const id of [unknown, "x", "%00"]) {
        for (const [method, path] of [
          ["GET", `/api/tasks/${id}`],
          ["POST", `/api/tasks/${id}/retry`],
          ["POST", `/api/tasks/${id}/cancel`]
        ] as const) {
          const { json, status } = yield* server.askAdmin(path, { method })
          assert.deepStrictEqual(
            [status, json],
            [404, { error: `There is no task ${decodeURIComponent(id)}` }]
          )
        }
      }
    })
  )
})

const endpoints = [
  ["POST", discovery],
  ["POST", staggered],
  ["GET", `/api/tasks/batch/${unknown}`],
  ["GET", "/api/tasks"],
  ["GET", `/api/tasks/${unknown}`],
  ["POST", `/api/tasks/${unknown}/retry`],
  ["POST", `/api/tasks/${unknown}/cancel`],
  ["GET", schedules],
  ["PUT", `${schedules}/s-1`],
  ["DELETE", `${schedules}/s-1`]
] as const

describe("every tasks endpoint", () => {
  it.live("requires the role admin", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const reader = yield* server.key("reader")
      for (const [method, path] of endpoints) {
        const anonymous = yield* server.ask(path, { method })
        assert.deepStrictEqual(
          [anonymous.status, anonymous.json],
          [401, { error: "Authentication required" }]
        )
        assert.strictEqual(anonymous.headers.get("www-authenticate"), "Bearer")
        const refused = yield* server.ask(path, { method, headers: { "X-API-Key": reader } })
        assert.deepStrictEqual([refused.status, refused.json], [403, { error: "Requires the role admin" }])
      }
    })
  )

  it.live("returns 500 without internals when the queue is down, and logs the cause", () =>
    Effect.gen(function* () {
      const cause = new Error("postgres://user:secret@host is away")
      const away = Effect.fail(new PortError({ port: "task queue", operation: "any", cause }))
      const noSchedules = Effect.fail(new PortError({ port: "crawl schedules", operation: "any", cause }))
      const server = yield* testServer({
        tasks: Layer.merge(
          Layer.succeed(TaskQueue, {
            enqueue: () => away,
            get: () => away,
            list: () => away,
            batch: () => away,
            retry: () => away,
            cancel: () => away,
            purge: () => away
          }),
          Layer.succeed(CrawlSchedules, {
            list: noSchedules,
            put: () => noSchedules,
            remove: () => noSchedules,
            fireDue: noSchedules
          })
        )
      })
      const bodies: Readonly<Record<string, object>> = {
        [discovery]: { states: ["AZ"] },
        [staggered]: crawls(1),
        [`${schedules}/s-1`]: { interval_minutes: 5 }
      }
      for (const [method, path] of endpoints) {
        const body = bodies[path]
        const request = body && method !== "DELETE" ? putting(body) : {}
        const answer = yield* server.askAdmin(path, { ...request, method })
        assert.strictEqual(answer.status, 500)
        assert.match(answer.text, /^\{"error":"Failed to [a-z ]+"\}$/)
      }
      assert.strictEqual(
        server.log.filter((line) => line.includes("cannot be reached")).length,
        endpoints.length
      )
    })
  )
})
