import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { bare, clicks, folderLayer, onTestDatabase } from "../clicks.ts"
import { runService } from "./runningService.ts"

const stage = Layer.mergeAll(TestDatabase.layerEmpty, folderLayer)
const adminKey = "an-admin-key-for-the-tests"

describe("clicks serve", () => {
  it.live("migrates an empty database, accepts CLICKS_ADMIN_KEY and creates no other key", () =>
    Effect.gen(function* () {
      const env = { ...(yield* onTestDatabase), CLICKS_ADMIN_KEY: adminKey }
      const { adminKey: made, child, outcome, url } = yield* runService(["serve"], env)
      assert.isNull(made)
      const asked = (key: string) =>
        Effect.promise(() => fetch(`${url}/api/events/product-clicks`, { headers: { "x-api-key": key } }))
      // If the migration takes longer than startup waits, the service first runs without its database.
      yield* Effect.repeat(asked(adminKey), { until: ({ status }) => status === 200 })
      assert.strictEqual((yield* asked("another")).status, 401)
      child.kill("SIGTERM")
      const { code, stderr } = yield* Effect.promise(() => outcome)
      assert.strictEqual(code, 0)
      assert.notInclude(stderr, adminKey)
    }).pipe(Effect.scoped, Effect.provide(stage))
  )

  it.live("logs at Ctrl-C that it finishes open requests, and then that it has stopped", () =>
    Effect.gen(function* () {
      const env = { ...(yield* onTestDatabase), LOG_FORMAT: "json" }
      const { child, outcome } = yield* runService(["serve"], env)
      child.kill("SIGINT")
      const { code, stderr, stdout } = yield* Effect.promise(() => outcome)
      const messages = stderr
        .match(/"message":\["?[^"]*|"message":"[^"]*/g)
        ?.map((text) => text.replace(/^"message":[["]*/, ""))
      assert.deepStrictEqual(messages?.slice(-2), [
        "Stopping: finishing open requests. Another signal stops at once",
        "Stopped"
      ])
      assert.strictEqual(code, 0)
      assert.lengthOf(stdout.trimEnd().split("\n"), 1)
    }).pipe(Effect.scoped, Effect.provide(stage))
  )
})

describe("CLICKS_RETENTION_DAYS", () => {
  it.live("makes the service delete older clicks", () =>
    Effect.gen(function* () {
      const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
      const row = (product_id: string, days: number) =>
        JSON.stringify({
          product_id,
          action: "view",
          source: "web",
          occurred_at: ago(days),
          received_at: ago(days)
        })
      yield* clicks(["import", "-"], { input: `${row("gone", 31)}\n${row("kept", 29)}\n` })
      const env = { ...(yield* onTestDatabase), CLICKS_ADMIN_KEY: adminKey, CLICKS_RETENTION_DAYS: "30" }
      const { url } = yield* runService(["serve"], env)
      const listed = Effect.promise(async () => {
        const answer = await fetch(`${url}/api/events/product-clicks`, { headers: { "x-api-key": adminKey } })
        const { events } = (await answer.json()) as {
          readonly events: ReadonlyArray<{ readonly product_id: string }>
        }
        return events.map(({ product_id }) => product_id)
      })
      const left = yield* Effect.repeat(listed, { until: (products) => products.length < 2 })
      assert.deepStrictEqual(left, ["kept"])
    }).pipe(Effect.scoped, Effect.provide(stage))
  )
})

describe("clicks migrate", () => {
  it.live("prints the applied migrations, and applies none twice", () =>
    Effect.gen(function* () {
      const before = JSON.parse((yield* clicks(["doctor", "--json"], { env: { PORT: "0" } })).stdout)
      const schema = before.checks.find((check: { readonly check: string }) => check.check === "schema")
      assert.strictEqual(schema.status, "warning")
      assert.match(schema.detail, /pending migrations: 0001_baseline/)
      const first = yield* clicks(["migrate"])
      assert.match(first.stdout, /^1 baseline$/m)
      assert.strictEqual(first.stderr, "clicks: Created a new, empty database (DATABASE_URL)\n")
      const second = yield* clicks(["migrate", "--json"])
      assert.deepStrictEqual(second, { code: 0, stdout: '{"applied":[]}\n', stderr: "" })
    }).pipe(Effect.provide(stage))
  )
})

describe("clicks doctor", () => {
  it.live("exits with 1 and advice when something is broken", () =>
    Effect.gen(function* () {
      const env = {
        DATABASE_URL: "postgres://u:hunter2hunter2@127.0.0.1:1/none",
        PORT: "0",
        LOG_LEVEL: "debug"
      }
      const { code, stderr, stdout } = yield* bare(["doctor"], env)
      assert.strictEqual(code, 1)
      assert.match(stdout, /^broken +database +.*ECONNREFUSED[^\n]*\n +Check that the server is running/m)
      assert.match(stderr, /^clicks: 1 check of 4 failed/)
      assert.notInclude(stdout + stderr, "hunter2")
    }).pipe(Effect.provide(folderLayer))
  )
})
