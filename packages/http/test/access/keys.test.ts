import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { many, posting, testServer } from "../TestServer.ts"

const path = "/api/admin/keys"

interface Created {
  readonly id: string
  readonly secret: string
}

describe("API keys over HTTP", () => {
  it.live("are created, listed without their secrets, and revoked", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const created = yield* server.askAdmin(path, posting({ user_id: "anna", name: "laptop" }))
      assert.strictEqual(created.status, 201, created.text)
      assert.deepInclude(created.json, { user_id: "anna", role: "reader", name: "laptop", revoked_at: null })
      assert.strictEqual(created.headers.get("cache-control"), "no-store")
      const { id, secret } = created.json as Created
      const read = () =>
        Effect.map(server.ask(many, { headers: { "x-api-key": secret } }), ({ status }) => status)
      assert.strictEqual(yield* read(), 200)

      const listed = yield* server.askAdmin(path)
      assert.nestedPropertyVal(listed.json, "keys[0].id", id)
      assert.propertyVal(listed.json, "total", 1)
      assert.notInclude(listed.text, secret)

      const revoked = yield* server.askAdmin(`${path}/${id}`, { method: "DELETE" })
      assert.strictEqual(revoked.status, 204)
      assert.strictEqual(yield* read(), 401)
      const unknown = yield* server.askAdmin(`${path}/${id.replaceAll(/[1-9a-f]/g, "0")}`, {
        method: "DELETE"
      })
      assert.strictEqual(unknown.status, 404)
    })
  )

  it.live("cannot be created by readers, or with fields that cannot be stored", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const reader = { "x-api-key": yield* server.key("reader") }
      assert.strictEqual((yield* server.ask(path, { headers: reader })).status, 403)
      assert.strictEqual((yield* server.ask("/api/admin/quarantine", { headers: reader })).status, 403)
      for (const [body, error] of [
        [{}, /user_id/],
        [{ user_id: "" }, /user_id/],
        [{ user_id: "a\0b" }, /user_id: contains a NUL character/],
        [{ user_id: "anna", role: "owner" }, /role/],
        [{ user_id: "anna", name: "n".repeat(201) }, /name/]
      ] as const) {
        const answer = yield* server.askAdmin(path, posting(body))
        assert.strictEqual(answer.status, 400, answer.text)
        assert.match(answer.text, error)
      }
      assert.propertyVal((yield* server.askAdmin(path)).json, "total", 1)
    })
  )
})

describe("the quarantine over HTTP", () => {
  it.live("shows what was sent, and why it could not be stored unchanged", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const sent = { product_id: "p-1", action: "view", source: "web", visitor_city: { name: "Yuma" } }
      const recorded = yield* server.ask("/api/events/product-click", posting(sent))
      const answer = yield* server.askAdmin("/api/admin/quarantine?limit=5")
      const { entries, total } = answer.json as {
        entries: ReadonlyArray<Record<string, string>>
        total: number
      }
      assert.strictEqual(total, 1)
      assert.deepInclude(entries[0], {
        click_id: recorded.headers.get("click-id") ?? "",
        original: JSON.stringify(sent)
      })
      assert.include(entries[0]?.["reason"], "visitor_city")
      assert.strictEqual((yield* server.askAdmin("/api/admin/quarantine?limit=0")).status, 400)
    })
  )
})
