import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { putting, schedules, taskServer } from "./TaskServer.ts"

const at = (store_id: string) => `${schedules}/${encodeURIComponent(store_id)}`

interface Schedule {
  readonly next_run_at: string | null
  readonly updated_at: string
}

describe("PUT /api/tasks/schedules/high-frequency/{id}", () => {
  it.live("creates a store's schedule, then changes it", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const made = yield* server.askAdmin(at("s/1 ü"), putting({ interval_minutes: 15 }))
      assert.strictEqual(made.status, 201)
      const { next_run_at, updated_at } = made.json as Schedule
      assert.deepInclude(made.json, {
        id: "s/1 ü",
        store_id: "s/1 ü",
        interval_minutes: 15,
        enabled: true,
        priority: 0,
        last_run_at: null
      })
      assert.strictEqual(next_run_at, updated_at)

      const changed = yield* server.askAdmin(
        at("s/1 ü"),
        putting({ interval_minutes: 1440, enabled: false, priority: 9 })
      )
      assert.strictEqual(changed.status, 200)
      assert.deepInclude(changed.json, {
        interval_minutes: 1440,
        enabled: false,
        priority: 9,
        next_run_at: null
      })
      const again = yield* server.askAdmin(at("s/1 ü"), putting({ interval_minutes: 1 }))
      assert.deepInclude(again.json, { interval_minutes: 1, enabled: false, priority: 9 })
      assert.deepStrictEqual((yield* server.askAdmin(schedules)).json, { schedules: [again.json], total: 1 })
    })
  )

  it.live("changes an existing schedule without its interval", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const put = (body: object) => server.askAdmin(at("s-1"), putting(body))
      yield* put({ interval_minutes: 15 })
      for (const [body, expected] of [
        [{ enabled: false }, { interval_minutes: 15, enabled: false, priority: 0 }],
        [{ priority: 3 }, { interval_minutes: 15, enabled: false, priority: 3 }],
        [{}, { interval_minutes: 15, enabled: false, priority: 3 }]
      ] as const) {
        const { json, status } = yield* put(body)
        assert.strictEqual(status, 200)
        assert.deepInclude(json, expected)
      }
    })
  )

  it.live("rejects invalid settings and changes nothing", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      const interval = "interval_minutes must be a whole number, from 1 to 1440"
      for (const [body, error] of [
        [{}, "interval_minutes is required: there is no schedule for the store s-1 yet"],
        [{ enabled: false }, "interval_minutes is required: there is no schedule for the store s-1 yet"],
        [{ interval_minutes: 0 }, interval],
        [{ interval_minutes: -5 }, interval],
        [{ interval_minutes: 1441 }, interval],
        [{ interval_minutes: 1.5 }, "interval_minutes: Expected an integer"],
        [{ interval_minutes: "15" }, "interval_minutes: Expected number"],
        [{ interval_minutes: null }, "interval_minutes: Expected number"],
        [{ interval_minutes: 5, enabled: "yes" }, "enabled: Expected boolean"],
        [{ interval_minutes: 5, priority: 1001 }, "priority must be a whole number, from -1000 to 1000"],
        [[], "The body must be a JSON object"]
      ] as const) {
        const { json, status } = yield* server.askAdmin(at("s-1"), putting(body))
        assert.deepStrictEqual([status, json], [400, { error }])
      }
      const broken = yield* server.askAdmin(at("s-1"), { ...putting({}), body: "{" })
      assert.deepStrictEqual([broken.status, broken.json], [400, { error: "The body is not JSON" }])
      const text = yield* server.askAdmin(at("s-1"), {
        ...putting({}),
        headers: { "Content-Type": "text/plain" }
      })
      assert.strictEqual(text.status, 415)
      assert.deepStrictEqual((yield* server.askAdmin(schedules)).json, { schedules: [], total: 0 })
    })
  )

  it.live("rejects an id that no store can have", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      for (const id of ["x".repeat(256), "\0"]) {
        for (const request of [putting({ interval_minutes: 5 }), { method: "DELETE" }]) {
          assert.strictEqual((yield* server.askAdmin(at(id), request)).status, 400)
        }
      }
    })
  )
})

describe("GET and DELETE /api/tasks/schedules/high-frequency", () => {
  it.live("lists by store id, and deletes a schedule once", () =>
    Effect.gen(function* () {
      const server = yield* taskServer
      for (const store of ["s-2", "s-1", "s-10"])
        yield* server.askAdmin(at(store), putting({ interval_minutes: 5 }))
      const listed = (yield* server.askAdmin(schedules)).json as {
        schedules: Array<{ store_id: string }>
        total: number
      }
      assert.deepStrictEqual(
        listed.schedules.map(({ store_id }) => store_id),
        ["s-1", "s-10", "s-2"]
      )
      assert.strictEqual(listed.total, 3)
      const ended = yield* server.askAdmin(at("s-1"), { method: "DELETE" })
      assert.deepStrictEqual([ended.status, ended.text], [204, ""])
      const gone = yield* server.askAdmin(at("s-1"), { method: "DELETE" })
      assert.deepStrictEqual(
        [gone.status, gone.json],
        [404, { error: "There is no schedule for the store s-1" }]
      )
      assert.deepInclude((yield* server.askAdmin(schedules)).json, { total: 2 })
    })
  )
})
