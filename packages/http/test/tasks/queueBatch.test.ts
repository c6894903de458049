import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { asQueued, crawls, discovery, posting, staggered, taskServer } from "./TaskServer.ts"

const hour = 3_600_000
/** Asserts that the time is between `then` and `later` milliseconds from now. */
const assertSince = (then: number, time: string | undefined, later = 0): void => {
  assert.isAtLeast(Date.parse(time ?? ""), then)
  assert.isAtMost(Date.parse(time ?? ""), Date.now() + later)
}

const inHours = (hours: number) => new Date(Date.now() + hours * hour)

const waits = (tasks: ReadonlyArray<{ readonly run_at: string }>) =>
  tasks.map(({ run_at }) => Date.parse(run_at) - Date.parse(tasks[0]?.run_at ?? ""))

describe("POST /api/tasks/batch/store-discovery", () => {
  it.live("queues a task for each state, in their order", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const before = Date.now()
      const { json, status } = yield* server.askAdmin(discovery, posting({ states: ["AZ", "CA", "DC"] }))
      assert.strictEqual(status, 202)
      const { batch_id, tasks, total } = asQueued(json)
      assert.match(batch_id, /^[0-9a-f-]{36}$/)
      assert.strictEqual(total, 3)
      assert.deepStrictEqual(
        tasks.map(({ kind, payload }) => [kind, payload]),
        ["AZ", "CA", "DC"].map((state) => ["store-discovery", { state }])
      )
      for (const { run_at } of tasks) assertSince(before, run_at)
    })
  )

  it.live("staggers the tasks and gives them a priority", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const body = { states: ["WY", "AK", "HI"], stagger_seconds: 90, priority: -7 }
      const before = Date.now()
      const { json } = yield* server.askAdmin(discovery, posting(body))
      const [first, second, third] = asQueued(json).tasks
      assertSince(before, first?.run_at)
      const between = Date.parse(third?.run_at ?? "") - Date.parse(second?.run_at ?? "")
      assert.strictEqual(between, 90_000)
      const listed = yield* server.askAdmin("/api/tasks")
      assert.isTrue(
        (listed.json as { tasks: Array<{ priority: number }> }).tasks.every((task) => task.priority === -7)
      )
    })
  )

  it.live("accepts all fifty states and D.C. at once", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const states =
        "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY"
      const { json } = yield* server.askAdmin(discovery, posting({ states: states.split(" ") }))
      assert.strictEqual(asQueued(json).total, 51)
    })
  )

  const wrong: ReadonlyArray<readonly [string, unknown, string]> = [
    ["no states", {}, "states is required"],
    ["states that are no list", { states: "AZ" }, "states: Expected array"],
    ["an empty list", { states: [] }, "states must have 1 to 51 states"],
    ["an unknown state", { states: ["AZ", "XX"] }, "states.1 must be a two-letter US state, or DC"],
    ["a territory", { states: ["PR"] }, "states.0 must be a two-letter US state, or DC"],
    ["lower case", { states: ["az"] }, "states.0 must be a two-letter US state, or DC"],
    ["a number", { states: [7] }, "states.0 must be a two-letter US state, or DC"],
    ["a repeated state", { states: ["AZ", "CA", "AZ"] }, "states: AZ is repeated"],
    [
      "a negative stagger",
      { states: ["AZ"], stagger_seconds: -1 },
      "stagger_seconds must be a number of seconds, from 0 to 86400"
    ],
    [
      "a stagger that is no number",
      { states: ["AZ"], stagger_seconds: "5" },
      "stagger_seconds: Expected number"
    ],
    [
      "a priority beyond its range",
      { states: ["AZ"], priority: 1001 },
      "priority must be a whole number, from -1000 to 1000"
    ],
    ["no object", ["AZ"], "The body must be a JSON object"]
  ]
  it.live("rejects an invalid body and queues nothing", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      for (const [what, body, error] of wrong) {
        const answer = yield* server.askAdmin(discovery, posting(body))
        assert.deepStrictEqual([what, answer.status, answer.json], [what, 400, { error }])
      }
      assert.include((yield* server.askAdmin("/api/tasks")).text, '"total":0')
    })
  )
})

describe("POST /api/tasks/batch/staggered", () => {
  it.live("schedules task n at start_at + n × delay_seconds", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const start = inHours(2)
      const body = { ...crawls(4), delay_seconds: 12.5, start_at: start.toISOString() }
      const { json, status } = yield* server.askAdmin(staggered, posting(body))
      assert.strictEqual(status, 202)
      const { tasks } = asQueued(json)
      assert.deepStrictEqual(
        tasks.map(({ payload }) => payload),
        ["s-0", "s-1", "s-2", "s-3"].map((store_id) => ({ store_id }))
      )
      assert.strictEqual(tasks[0]?.run_at, start.toISOString())
      assert.deepStrictEqual(waits(tasks), [0, 12_500, 25_000, 37_500])
    })
  )

  it.live("starts at once without start_at or if it is in the past", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const body = { ...crawls(3), delay_seconds: 3600 }
      const before = Date.now()
      const now = yield* server.askAdmin(staggered, posting(body))
      const [first, second] = asQueued(now.json).tasks
      assertSince(before, first?.run_at)
      // The first starts by the clock of the database, the second by that of the service; sometimes they differ by a millisecond.
      assertSince(before + hour, second?.run_at, hour)

      const past = yield* server.askAdmin(
        staggered,
        posting({ ...body, start_at: inHours(-1.5).toISOString() })
      )
      const made = asQueued(past.json)
      const { json } = yield* server.askAdmin(`/api/tasks/batch/${made.batch_id}`)
      assert.deepInclude((json as { counts: object }).counts, { ready: 2, scheduled: 1 })
    })
  )

  it.live("reads a start_at without an offset as UTC", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const year = new Date(Date.now() + 24 * hour).toISOString().slice(0, 10)
      for (const [start_at, run_at] of [
        [`${year}T10:00:00+02:00`, `${year}T08:00:00.000Z`],
        [`${year}T10:00`, `${year}T10:00:00.000Z`],
        [year, `${year}T00:00:00.000Z`]
      ]) {
        const { json } = yield* server.askAdmin(staggered, posting({ ...crawls(1), start_at }))
        const [task] = asQueued(json).tasks
        // Tasks whose time has passed start now.
        assert.strictEqual(
          Math.max(Date.parse(task?.run_at ?? ""), Date.parse(run_at ?? "")),
          Date.parse(task?.run_at ?? "")
        )
        if (Date.parse(run_at ?? "") > Date.now()) assert.strictEqual(task?.run_at, run_at)
      }
    })
  )

  it.live("accepts 1,000 tasks, kinds of an embedder, and gzip", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const body = crawls(1000)
      body.tasks[0] = { kind: "report", payload: { day: "2026-11-20", store_id: "left out" } as never }
      const packed = gzipSync(JSON.stringify(body))
      const { json, status } = yield* server.askAdmin(staggered, {
        method: "POST",
        headers: { "Content-Type": "application/json", "Content-Encoding": "gzip" },
        body: new Uint8Array(packed)
      })
      assert.strictEqual(status, 202)
      const { tasks, total } = asQueued(json)
      assert.strictEqual(total, 1000)
      assert.strictEqual(new Set(tasks.map(({ id }) => id)).size, 1000)
      assert.deepInclude(tasks[0], { kind: "report", payload: { day: "2026-11-20" } })
    })
  )

  const wrong: ReadonlyArray<readonly [string, unknown, string | RegExp]> = [
    ["1,001 tasks", crawls(1001), "tasks must have 1 to 1000 tasks"],
    ["no task", crawls(0), "tasks must have 1 to 1000 tasks"],
    ["tasks that are no list", { ...crawls(1), tasks: {} }, "tasks: Expected array"],
    ["a task without a kind", { ...crawls(1), tasks: [{ payload: {} }] }, "tasks.0.kind is required"],
    [
      "a task without a payload",
      { ...crawls(1), tasks: [{ kind: "store-crawl" }] },
      "tasks.0.payload is required"
    ],
    [
      "an unknown kind",
      crawls(2, { kind: "no-such-kind" }),
      'tasks.0: Unknown kind "no-such-kind". Known kinds: store-discovery, store-crawl, report'
    ],
    [
      "a payload that does not fit its kind",
      { ...crawls(1), tasks: [...crawls(1).tasks, { kind: "store-crawl", payload: { store: "s-1" } }] },
      "tasks.1: Invalid payload for kind store-crawl: store_id is required"
    ],
    [
      "a payload of a wrong type",
      crawls(1, { payload: { store_id: 7 } }),
      "tasks.0: Invalid payload for kind store-crawl: store_id: Expected string"
    ],
    [
      "an unknown state",
      crawls(1, { kind: "store-discovery", payload: { state: "Arizona" } }),
      "tasks.0: Invalid payload for kind store-discovery: state must be a two-letter US state, or DC"
    ],
    [
      "a payload with a NUL",
      crawls(1, { kind: "report", payload: { day: "\\u0000", note: { deep: ["\0"] } } }),
      "tasks.0: Invalid payload for kind report: it contains a NUL character or a lone surrogate"
    ],
    [
      "a payload that is too large",
      crawls(1, { kind: "report", payload: { day: "x".repeat(66_000) } }),
      "tasks.0: Invalid payload for kind report: its JSON is longer than 65536 characters"
    ],
    ["no delay", { tasks: crawls(1).tasks }, "delay_seconds is required"],
    [
      "a negative delay",
      { ...crawls(1), delay_seconds: -0.1 },
      "delay_seconds must be a number of seconds, from 0 to 86400"
    ],
    [
      "a delay of more than a day",
      { ...crawls(1), delay_seconds: 86_401 },
      "delay_seconds must be a number of seconds, from 0 to 86400"
    ],
    ["a delay that is no number", { ...crawls(1), delay_seconds: null }, "delay_seconds: Expected number"],
    [
      "a start that is no date",
      { ...crawls(1), start_at: "soon" },
      /^start_at must be an ISO 8601 date-time/
    ],
    ["a start in a far future", { ...crawls(1), start_at: inHours(400 * 24) }, /at most a year ahead$/],
    ["a start that is no text", { ...crawls(1), start_at: 0 }, "start_at: Expected string"],
    ["a priority that is not whole", crawls(1, { priority: 1.5 }), "tasks.0.priority: Expected an integer"],
    ["null", null, "The body must be a JSON object"]
  ]
  it.live("rejects an invalid body and queues nothing of the batch", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      for (const [what, body, expected] of wrong) {
        const { json, status } = yield* server.askAdmin(staggered, posting(body))
        const { error } = json as { readonly error: string }
        assert.strictEqual(status, 400, what)
        if (typeof expected === "string") assert.strictEqual(error, expected, what)
        else assert.match(error, expected, what)
      }
      assert.include((yield* server.askAdmin("/api/tasks")).text, '"total":0')
    })
  )

  it.live("accepts a text that only looks like an escaped NUL", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const day = "\\u0000 \\\\ud800 \\"
      const { json, status } = yield* server.askAdmin(
        staggered,
        posting(crawls(1, { kind: "report", payload: { day } }))
      )
      assert.strictEqual(status, 202)
      assert.deepStrictEqual(asQueued(json).tasks[0]?.payload, { day })
    })
  )
})

describe("the body of a tasks request", () => {
  it.live("must be JSON of at most 1 MiB", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      for (const path of [discovery, staggered]) {
        const sending = (body: string, type = "application/json") =>
          server.askAdmin(path, { method: "POST", headers: { "Content-Type": type }, body })
        const broken = yield* sending("{")
        assert.deepStrictEqual([broken.status, broken.json], [400, { error: "The body is not JSON" }])
        assert.strictEqual((yield* sending("")).status, 400)
        const form = yield* sending("states=AZ", "application/x-www-form-urlencoded")
        assert.deepStrictEqual(
          [form.status, form.json],
          [415, { error: "Unsupported content type. Send the body as application/json" }]
        )
        const large = yield* sending(JSON.stringify("x".repeat(1_048_576)))
        assert.deepStrictEqual(
          [large.status, large.json],
          [413, { error: "Body too large: the limit is 1048576 bytes" }]
        )
      }
    })
  )
})
