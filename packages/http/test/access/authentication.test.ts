import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { authenticated } from "@clicks/core/access/Caller"
import { TokenVerifier } from "@clicks/core/access/TokenVerifier"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, Result } from "effect"
import { parseTrustedProxies } from "../../src/access/ClientAddress.ts"
import { rawSocket, requestText } from "../rawSocket.ts"
import { adminKey, click, many, one, posting, type TestServer, testServer } from "../TestServer.ts"

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })

const statusOf = (server: TestServer, headers: Record<string, string>) =>
  Effect.map(server.ask(many, { headers }), ({ status }) => status)

describe("authentication of a listing", () => {
  it.live("returns 401 with WWW-Authenticate without a valid credential", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const bad = [
        {},
        { Authorization: "Bearer nonsense" },
        { Authorization: `Bearer clk_${"A".repeat(43)}` },
        { Authorization: "Bearer " },
        { Authorization: `Basic ${btoa(`admin:${adminKey}`)}` },
        { Authorization: adminKey },
        { "X-API-Key": adminKey.slice(0, -1) },
        { "X-API-Key": `${adminKey}x` }
      ]
      for (const headers of bad) {
        const answer = yield* server.ask(many, { headers: headers as Record<string, string> })
        assert.strictEqual(answer.status, 401, JSON.stringify(headers))
        assert.deepStrictEqual(answer.json, { error: "Authentication required" })
        assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
      }
    })
  )

  it.live("is checked before the parameters", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      assert.strictEqual((yield* server.ask(`${many}?limit=x&limit=y`)).status, 401)
    })
  )

  it.live("accepts keys of readers and admins as Bearer or X-API-Key until they are revoked", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const role of ["reader", "admin"] as const) {
        const key = yield* server.key(role)
        assert.strictEqual(yield* statusOf(server, { Authorization: `Bearer ${key}` }), 200)
        assert.strictEqual(yield* statusOf(server, { Authorization: `bEaReR  ${key} ` }), 200)
        assert.strictEqual(yield* statusOf(server, { "X-API-Key": key }), 200)
        const [newest] = yield* server.keys.list
        yield* server.keys.revoke(newest?.id ?? "")
        assert.strictEqual(yield* statusOf(server, { "X-API-Key": key }), 401)
      }
    })
  )

  it.live("accepts the configured admin key, whose user id is admin", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      assert.strictEqual((yield* server.ask(many, bearer(adminKey))).status, 200)
      yield* server.ask(one, posting(click, { "X-API-Key": adminKey }))
      assert.strictEqual((yield* server.stored)[0]?.user_id, "admin")
    })
  )

  it.live("accepts no admin key unless one is configured", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { adminKey: Redacted.make("another-admin-key") } })
      assert.strictEqual((yield* server.ask(many, bearer(adminKey))).status, 401)
    })
  )

  it.live("prefers Authorization to X-API-Key unless it has another scheme", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const status = (authorization: string, key: string) =>
        statusOf(server, { Authorization: authorization, "X-API-Key": key })
      assert.strictEqual(yield* status("Bearer nonsense", adminKey), 401)
      assert.strictEqual(yield* status(`Bearer ${adminKey}`, "nonsense"), 200)
      assert.strictEqual(yield* status("Basic dXNlcjpwYXNz", adminKey), 200)
    })
  )

  it.live("returns 403 {error} to an authenticated caller without the role", () =>
    Effect.gen(function* () {
      const tokens = Layer.succeed(TokenVerifier, {
        verify: () => Effect.succeed(Option.some(authenticated("u-1", null)))
      })
      const server = yield* testServer({ tokens })
      const answer = yield* server.ask(many, bearer("a-token"))
      assert.strictEqual(answer.status, 403)
      assert.deepStrictEqual(answer.json, { error: "Requires the role reader or admin" })
    })
  )

  it.live("looks up a credential once", () =>
    Effect.gen(function* () {
      let looks = 0
      const keys = Layer.mock(ApiKeys, {
        verify: () =>
          Effect.sync(() => {
            looks++
            return Option.none()
          })
      })
      const server = yield* testServer({ keys })
      yield* server.ask(many, { headers: { Authorization: "Bearer clk_x", "X-API-Key": "clk_y" } })
      assert.strictEqual(looks, 1)
    })
  )
})

describe("the address that a click stores", () => {
  const address = Effect.fnUntraced(function* (list: string) {
    const trustedProxies = Result.getOrThrow(parseTrustedProxies(list))
    const server = yield* testServer({ options: { trustedProxies } })
    yield* server.ask(one, posting(click, { "X-Forwarded-For": "1.1.1.1, 198.51.100.4" }))
    return (yield* server.stored)[0]?.ip_address
  })

  it.live("is the peer's, or the one that a trusted proxy forwards", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* address(""), "127.0.0.1")
      assert.strictEqual(yield* address("127.0.0.0/8"), "198.51.100.4")
    })
  )

  it.live("is the value of X-Forwarded-For on a Unix socket, or null without it", () =>
    Effect.gen(function* () {
      const socketPath = `/tmp/clicks-http-${process.pid}-${Date.now()}.sock`
      const server = yield* testServer({ options: { socketPath } })
      const socket = yield* rawSocket(socketPath)
      const headers = ["Content-Type: application/json"]
      socket.write(requestText(one, JSON.stringify(click), [...headers, "X-Forwarded-For: 198.51.100.4"]))
      yield* socket.receive(/"ok"}$/)
      socket.write(requestText(one, JSON.stringify({ ...click, product_id: "p-2" }), headers))
      yield* socket.receive(/"ok"}.*"ok"}$/s)
      const stored = yield* server.stored
      assert.sameDeepMembers(
        stored.map(({ ip_address, product_id }) => [product_id, ip_address]),
        [
          ["p-1", "198.51.100.4"],
          ["p-2", null]
        ]
      )
    })
  )
})
