import { once } from "node:events"
import { createServer } from "node:net"
import { HotBatches } from "@clicks/core/clicks/tiers/HotBatches"
import * as HotBatchesSql from "@clicks/sql-adapter/clicks/archive/HotBatchesSql"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Schedule } from "effect"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { begin, clicks, Folder, folderLayer, onTestDatabase, outcomeOf } from "../clicks.ts"
import { runService } from "../service/runningService.ts"

/** A port without a listener. */
const closedPort = Effect.promise(async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address !== null ? address.port : 0
})

const adminKey = "an-admin-key-for-the-tests"

const withArchive = Effect.gen(function* () {
  const url = `http://127.0.0.1:${yield* closedPort}`
  return { ...(yield* onTestDatabase), CLICKHOUSE_URL: url, CLICKS_ADMIN_KEY: adminKey }
})

const ask = (url: string, path: string, init: RequestInit = {}) =>
  Effect.promise(async () => {
    const response = await fetch(url + path, { headers: { "x-api-key": adminKey }, ...init })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

const record = (url: string, fields: object) =>
  ask(url, "/api/events/product-click", {
    method: "POST",
    body: JSON.stringify({ product_id: "p-1", action: "view", source: "web", ...fields })
  })

const list = (url: string, query = "") =>
  Effect.map(ask(url, `/api/events/product-clicks${query}`), ({ status, text }) => ({
    status,
    ...JSON.parse(text)
  }))

/** Moves all clicks to a temporary archive and deletes them from the database. */
const moveAway = Effect.gen(function* () {
  const batches = yield* HotBatches
  for (let batch = yield* batches.begin(Duration.zero); batch !== null; )
    batch = (yield* batches.complete(batch.attempt, { count: batch.count, checksum: "1" }))
      ? yield* batches.begin(Duration.zero)
      : null
  return yield* batches.removeMoved(new Date(Date.now() + 60_000))
}).pipe(Effect.provide(HotBatchesSql.layer))

const database = Layer.merge(TestDatabase.layer, folderLayer)

layer(database, { excludeTestServices: true, timeout: "120 seconds" })("an archive that is down", (it) => {
  it.effect("delays neither recording nor recent clicks, and older clicks fail with the reason", () =>
    Effect.gen(function* () {
      const env = yield* withArchive
      const { url } = yield* runService(["start"], env)
      const old = { occurred_at: "2020-01-01T00:00:00.000Z" }
      assert.strictEqual((yield* record(url, old)).headers.get("click-receipt"), "stored")
      assert.strictEqual((yield* list(url)).total, 1)
      const ready = yield* ask(url, "/readyz")
      assert.strictEqual(ready.status, 200)
      assert.deepInclude(JSON.parse(ready.text).checks.archive, {
        status: "ok",
        usable: false,
        lag_clicks: 1,
        reason: "ClickHouse does not respond"
      })
      yield* Effect.repeat(ask(url, "/metrics"), {
        until: ({ text }) => /^clicks_archive_usable 0$/m.test(text),
        schedule: Schedule.spaced("100 millis")
      })

      assert.strictEqual(yield* moveAway, 1)
      assert.strictEqual((yield* record(url, {})).headers.get("click-receipt"), "stored")
      const refused = yield* list(url)
      assert.strictEqual(refused.status, 503)
      assert.match(refused.error, /^The archive of older clicks is unavailable/)
      assert.strictEqual((yield* list(url, "?from=2020-01-01")).status, 503)
      assert.strictEqual((yield* list(url, "?from=2020-01-02")).total, 1)
      const counted = yield* ask(url, "/api/analytics/product-clicks?from=2020-01-02")
      assert.strictEqual(JSON.parse(counted.text).groups[0].clicks, 1)
      assert.strictEqual((yield* ask(url, "/api/analytics/product-clicks")).status, 503)
    })
  )

  it.effect("is reported by status, move and doctor", () =>
    Effect.gen(function* () {
      const env = yield* withArchive
      const status = yield* clicks(["archive", "status", "--json"], { env })
      assert.deepInclude(JSON.parse(status.stdout), { in_use: true, moved: 1, lag_clicks: 1 })
      assert.match(JSON.parse(status.stdout).clickhouse.problem, /ECONNREFUSED/)
      assert.match(
        (yield* clicks(["archive", "status"], { env })).stdout,
        /^1 click moved, 0 failed attempts\n1 click waiting/
      )
      const move = yield* clicks(["archive", "move"], { env })
      assert.strictEqual(move.code, 1)
      assert.match(move.stderr, /^clicks: The archive of older clicks cannot be reached/m)
      const doctor = yield* clicks(["doctor"], { env: { ...env, PORT: "0" } })
      assert.match(doctor.stdout, /^broken {3}archive .*ECONNREFUSED/m)
    })
  )

  it.effect("is required by a database whose clicks have moved", () =>
    Effect.gen(function* () {
      const { code, stderr } = yield* clicks(["list"])
      assert.deepStrictEqual(
        [code, stderr],
        [
          1,
          "clicks: Older clicks of the database (DATABASE_URL) are in ClickHouse. Set CLICKHOUSE_URL to its URL\n"
        ]
      )
    })
  )

  it.effect("fails with advice if its package is not installed, which is the default", () =>
    Effect.gen(function* () {
      const hide = `import { registerHooks } from "node:module"
        registerHooks({ resolve: (name, context, next) => {
          if (!name.startsWith("@clicks/clickhouse-adapter")) return next(name, context)
          throw Object.assign(new Error("not found"), { code: "ERR_MODULE_NOT_FOUND" })
        } })`
      const env = {
        ...(yield* withArchive),
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hide)}`
      }
      const { path } = yield* Folder
      const { code, stderr } = yield* Effect.promise(() => outcomeOf(begin(["list"], env, path)))
      assert.strictEqual(code, 1)
      assert.match(
        stderr,
        /^clicks: CLICKHOUSE_URL requires the package @clicks\/clickhouse-adapter\. Install it/m
      )
    })
  )
})
