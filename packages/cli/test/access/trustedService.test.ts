import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { stage } from "../clicks/storedClicks.ts"
import { clicks, onTestDatabase } from "../clicks.ts"
import { runService } from "../service/runningService.ts"

const adminKey = "an-admin-key-of-the-test"

describe("a running service on PostgreSQL", () => {
  it.effect("lets a trusted address read and count as soon as it is added through the API", () =>
    Effect.gen(function* () {
      const { url } = yield* runService(["serve"], { ...(yield* onTestDatabase), CLICKS_ADMIN_KEY: adminKey })
      const ask = (path: string, init: RequestInit = {}) =>
        Effect.promise(async () => {
          const response = await fetch(url + path, init)
          return { status: response.status, text: await response.text() }
        })
      const recorded = ["view", "view", "open_product"].map((action) => ({
        product_id: "p",
        source: "web",
        action
      }))
      yield* ask("/api/events/product-clicks", {
        method: "POST",
        headers: { "Content-Type": "application/json", "User-Agent": "firefox" },
        body: JSON.stringify(recorded)
      })
      const counts = "/api/analytics/product-clicks?group_by=action&interval=month&tz=Europe/Berlin"
      assert.strictEqual((yield* ask(counts)).status, 401)

      const entry = JSON.stringify({ kind: "address", value: "127.0.0.1" })
      const headers = { "X-API-Key": adminKey, "Content-Type": "application/json" }
      const path = "/api/admin/trusted-origins"
      const added = yield* ask(path, { method: "POST", headers, body: entry })
      assert.strictEqual(added.status, 201)
      assert.strictEqual((yield* ask(path, { method: "POST", headers, body: entry })).status, 409)

      const { groups } = JSON.parse((yield* ask(counts)).text)
      assert.deepStrictEqual(
        groups.map(({ action, clicks, visitors }: Record<string, unknown>) => [action, clicks, visitors]),
        [
          ["view", 2, 1],
          ["open_product", 1, 1]
        ]
      )
      assert.match((yield* ask("/api/analytics/funnel")).text, /"open_product","clicks":1,/)
      assert.strictEqual((yield* ask("/api/events/product-clicks?limit=1")).status, 200)
      assert.strictEqual((yield* ask(path)).status, 403)

      // Another process changes the list. This process caches the old list for at most five minutes.
      const { id } = JSON.parse(added.text)
      assert.strictEqual((yield* clicks(["origins", "remove", id])).code, 0)
      assert.strictEqual((yield* ask(counts)).status, 200)
      yield* ask(`${path}/${id}`, { method: "DELETE", headers })
      assert.strictEqual((yield* ask(counts)).status, 401)
    }).pipe(Effect.provide(stage))
  )
})
