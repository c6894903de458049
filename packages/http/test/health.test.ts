import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { CheckFailed } from "../src/health/Readiness.ts"
import { click, one, posting, testServer } from "./TestServer.ts"

describe("GET /livez", () => {
  it.live("returns 200 without a credential while everything else fails", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ checks: { database: new CheckFailed({ reason: "away" }) } })
      const { json, status } = yield* server.ask("/livez")
      assert.deepStrictEqual([status, json], [200, { status: "ok" }])
    })
  )
})

describe("GET /readyz", () => {
  it.live("returns 200 with the details of each check", () =>
    Effect.gen(function* () {
      const server = yield* testServer({
        checks: { database: Effect.succeed({}), spool: Effect.succeed({ depth: 3, oldest: null }) }
      })
      const { json, status } = yield* server.ask("/readyz")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(json, {
        status: "ok",
        checks: { database: { status: "ok" }, spool: { status: "ok", depth: 3, oldest: null } }
      })
    })
  )

  it.live("returns 503 without internals when a check fails, times out or is broken", () =>
    Effect.gen(function* () {
      const server = yield* testServer({
        checks: {
          database: new CheckFailed({ reason: "the database does not respond" }),
          disk: Effect.uninterruptible(Effect.never),
          spool: Effect.die(new Error("password=hunter2")),
          clock: Effect.succeed({})
        }
      })
      const { json, status, text } = yield* server.ask("/readyz")
      assert.strictEqual(status, 503)
      assert.deepStrictEqual(json, {
        status: "failed",
        checks: {
          database: { status: "failed", reason: "the database does not respond" },
          disk: { status: "failed", reason: "no response within 2 seconds" },
          spool: { status: "failed", reason: "the check failed unexpectedly; see the log" },
          clock: { status: "ok" }
        }
      })
      assert.notInclude(text, "hunter2")
    })
  )
})

describe("GET /metrics", () => {
  it.live("returns Prometheus metrics to readers and admins", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      yield* server.ask(one, posting(click))
      const reader = { headers: { "X-API-Key": yield* server.key("reader") } }
      for (const { headers, status, text } of [
        yield* server.ask("/metrics", reader),
        yield* server.askAdmin("/metrics")
      ]) {
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
        assert.match(text, /^# TYPE clicks_recorded_total counter$/m)
        assert.match(text, /^clicks_recorded_total\{receipt="stored"\} \d+$/m)
      }
      assert.strictEqual((yield* server.ask("/metrics")).status, 401)
    })
  )

  it.live("requires no credential if metrics are public", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { publicMetrics: true } })
      assert.strictEqual((yield* server.ask("/metrics")).status, 200)
    })
  )
})
