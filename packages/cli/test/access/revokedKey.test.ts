import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import * as DatabaseProxy from "../../../sql-adapter/test/DatabaseProxy.ts"
import * as TestDatabase from "../../../sql-adapter/test/TestDatabase.ts"
import { bare, Folder, folderLayer } from "../clicks.ts"
import { runService } from "../service/runningService.ts"

const adminKey = "an-admin-key-for-the-tests"
const stage = Layer.merge(DatabaseProxy.layer.pipe(Layer.provideMerge(TestDatabase.layer)), folderLayer)

const often = Schedule.spaced("20 millis")

/** Waits until the service listens for revocations. */
const listening = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const sessions = sql`
    select from pg_stat_activity where datname = current_database() and query ilike 'listen%revoked_keys%'`
  yield* Effect.repeat(sessions, { until: (found) => found.length > 0, schedule: often })
})

const record = (url: string, key: string) =>
  Effect.promise(async () => {
    const body = JSON.stringify({ product_id: "p-1", action: "view", source: "web" })
    const headers = { "content-type": "application/json", "x-api-key": key }
    const answer = await fetch(`${url}/api/events/product-click`, { method: "POST", headers, body })
    return { id: answer.headers.get("click-id"), receipt: answer.headers.get("click-receipt") }
  })

const get = (url: string, path: string, key: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}${path}`, { headers: { "x-api-key": key } })
    return { status: answer.status, text: await answer.text() }
  })

const metrics = (url: string, key: string) => Effect.map(get(url, "/metrics", key), ({ status }) => status)

const stored = (url: string) =>
  get(url, "/api/events/product-clicks", adminKey).pipe(
    Effect.map(({ text }) => JSON.parse(text)),
    Effect.repeat({ until: ({ total }) => total === 6, schedule: often })
  )

describe("keys while the database is down", () => {
  it.live("grant no access, but determine the user of a click unless revoked or unknown", () =>
    Effect.gen(function* () {
      const proxy = yield* DatabaseProxy.DatabaseProxy
      const direct = { DATABASE_URL: Redacted.value((yield* TestDatabase.TestDatabase).url) }
      const create = (user: string) =>
        Effect.map(bare(["keys", "create", "--user", user, "--json"], direct), ({ stdout }) =>
          JSON.parse(stdout)
        )
      const [anna, bob] = [yield* create("anna"), yield* create("bob")]
      const [carl, unseen] = [yield* create("carl"), yield* create("unseen")]
      const { child, url } = yield* runService(["serve"], {
        DATABASE_URL: Redacted.value(proxy.url),
        CLICKS_DATA_DIR: join((yield* Folder).path, "data"),
        CLICKS_ADMIN_KEY: adminKey
      })
      let log = ""
      child.stderr?.on("data", (text: string) => {
        log += text
      })
      yield* listening
      const clicks = [yield* record(url, anna.secret), yield* record(url, bob.secret)]
      assert.deepStrictEqual([yield* metrics(url, anna.secret), yield* metrics(url, bob.secret)], [200, 200])
      // This key has only been used for reading.
      assert.strictEqual(yield* metrics(url, carl.secret), 200)

      assert.strictEqual((yield* bare(["keys", "revoke", anna.key.id], direct)).code, 0)
      yield* Effect.sync(() => log.includes(`${anna.key.id} was revoked`)).pipe(
        Effect.repeat({ until: (heard) => heard, schedule: often })
      )
      yield* proxy.stop
      for (const { secret } of [anna, bob, carl, unseen]) clicks.push(yield* record(url, secret))
      assert.deepStrictEqual(
        clicks.slice(2).map(({ receipt }) => receipt),
        ["spooled", "spooled", "spooled", "spooled"]
      )
      for (const { secret } of [anna, bob]) {
        const { status, text } = yield* get(url, "/metrics", secret)
        assert.strictEqual(status, 503)
        assert.match(JSON.parse(text).error, /temporarily unavailable/)
        assert.strictEqual((yield* get(url, "/api/events/product-clicks", secret)).status, 503)
      }
      assert.strictEqual(yield* metrics(url, adminKey), 200)
      assert.strictEqual((yield* get(url, "/api/events/product-clicks", adminKey)).status, 500)

      yield* proxy.start
      const { events } = yield* stored(url)
      assert.deepStrictEqual(
        clicks.map(({ id }) => events.find((event: { readonly id: string }) => event.id === id)?.user_id),
        ["anna", "bob", null, "bob", "carl", null]
      )
      assert.deepStrictEqual([yield* metrics(url, anna.secret), yield* metrics(url, bob.secret)], [401, 200])
    }).pipe(Effect.scoped, Effect.provide(stage))
  )
})
