import { Sessions } from "@clicks/core/access/Sessions"
import { PortError } from "@clicks/core/values/PortError"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Result } from "effect"
import { parseTrustedProxies } from "../../src/access/ClientAddress.ts"
import { rawSocket } from "../rawSocket.ts"
import { adminKey, many, posting, type Request, type TestServer, testServer } from "../TestServer.ts"

const path = "/api/session"
const origins = "/api/admin/trusted-origins"
const page = { "X-Clicks-Page": "1" }
const entry = { kind: "domain", value: "shop.example" }

const loggingIn = (body: object, headers: Record<string, string> = page): Request => {
  const post = posting(body)
  return { ...post, headers: { ...post.headers, ...headers } }
}

const cookieOf = (headers: Headers): string => headers.get("set-cookie")?.split(";", 1)[0] ?? ""

const logIn = Effect.fnUntraced(function* (server: TestServer, key: string, headers = {}) {
  const answer = yield* server.ask(path, loggingIn({ key }, { ...page, ...headers }))
  assert.strictEqual(answer.status, 201, answer.text)
  return { ...answer, cookie: cookieOf(answer.headers) }
})

const statusOf = (server: TestServer, asked: string, headers: Record<string, string>) =>
  Effect.map(server.ask(asked, { headers }), ({ status }) => status)

describe("a session", () => {
  it.live("begins with a key, reads what the key can read, and ends with logging out", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const key = yield* server.key("reader", "anna")
      const { cookie, headers, json } = yield* logIn(server, ` ${key} `)
      assert.deepInclude(json, { user_id: "anna", role: "reader" })
      assert.match(
        headers.get("set-cookie") ?? "",
        /^clicks_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/
      )
      assert.notInclude(cookie, key.slice(4))
      assert.strictEqual(yield* statusOf(server, many, { cookie }), 200)
      assert.strictEqual(yield* statusOf(server, origins, { cookie }), 403)
      assert.deepStrictEqual((yield* server.ask(path, { headers: { cookie } })).json, json)

      const out = yield* server.ask(path, { method: "DELETE", headers: { cookie, ...page } })
      assert.strictEqual(out.status, 204)
      assert.match(out.headers.get("set-cookie") ?? "", /^clicks_session_\d+=; .*Max-Age=0$/)
      assert.strictEqual(yield* statusOf(server, many, { cookie }), 401)
      const nobody = { user_id: null, role: null, expires_at: null }
      assert.deepStrictEqual((yield* server.ask(path)).json, nobody)
    })
  )

  it.live("coexists with the session of a service on another port of the host", () =>
    Effect.gen(function* () {
      const servers = [yield* testServer(), yield* testServer()]
      const cookies = yield* Effect.forEach(servers, (server) =>
        Effect.map(logIn(server, adminKey), ({ cookie }) => cookie)
      )
      for (const server of servers)
        assert.strictEqual(yield* statusOf(server, many, { cookie: cookies.join("; ") }), 200)
    })
  )

  it.live("ends when its key is revoked", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { cookie } = yield* logIn(server, yield* server.key("admin"))
      assert.strictEqual(yield* statusOf(server, origins, { cookie }), 200)
      const [key] = yield* server.keys.list
      yield* server.keys.revoke(key?.id ?? "")
      assert.strictEqual(yield* statusOf(server, many, { cookie }), 401)
    })
  )

  it.live("begins with the configured admin key, or once with a link", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { cookie } = yield* logIn(server, adminKey)
      assert.strictEqual(yield* statusOf(server, origins, { cookie }), 200)
      yield* server.key("admin", "otto")
      const [key] = yield* server.keys.list
      const { token } = yield* server.sessions.begin("link", key?.id ?? "")
      const link = Redacted.value(token)
      assert.strictEqual(
        yield* statusOf(server, many, { cookie: `clicks_session_${server.port}=${link}` }),
        401
      )
      const first = yield* server.ask(path, loggingIn({ link }))
      assert.deepInclude(first.json, { user_id: "otto", role: "admin" })
      const second = yield* server.ask(path, loggingIn({ link }))
      assert.strictEqual(second.status, 401)
      assert.include(second.text, "has expired or has been used")
    })
  )

  it.live("does not begin with unknown keys or malformed bodies", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const [body, status] of [
        [{ key: "clk_unknown" }, 401],
        [{ key: "" }, 401],
        [{ link: "x" }, 401],
        [{}, 400],
        [{ key: 1 }, 400],
        [{ key: "a", link: "b" }, 400],
        [[], 400]
      ] as const) {
        const answer = yield* server.ask(path, loggingIn(body))
        assert.strictEqual(answer.status, status, JSON.stringify(body))
        assert.isNull(answer.headers.get("set-cookie"))
      }
    })
  )

  it.live("changes nothing without the header that only the page sends", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      assert.strictEqual((yield* server.ask(path, loggingIn({ key: adminKey }, {}))).status, 403)
      const { cookie } = yield* logIn(server, adminKey)
      const changes: ReadonlyArray<readonly [string, Request]> = [
        [origins, posting(entry)],
        [`${origins}/1`, { ...posting(entry), method: "PUT" }],
        [`${origins}/1`, { method: "DELETE" }],
        [path, { method: "DELETE" }]
      ]
      for (const [asked, request] of changes) {
        const answer = yield* server.ask(asked, { ...request, headers: { ...request.headers, cookie } })
        assert.strictEqual(answer.status, 403, request.method)
        assert.include(answer.text, "X-Clicks-Page: 1")
      }
      assert.deepInclude((yield* server.askAdmin(origins)).json, { total: 0 })
      const added = yield* server.ask(origins, loggingIn(entry, { cookie, ...page }))
      assert.strictEqual(added.status, 201)
      const preflight = yield* server.ask(origins, {
        method: "OPTIONS",
        headers: {
          origin: "https://shop.example",
          "access-control-request-method": "POST",
          "access-control-request-headers": "x-clicks-page"
        }
      })
      assert.isNull(preflight.headers.get("access-control-allow-origin"))
    })
  )

  it.live("is rejected under a host name that is not the service's", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { cookie } = yield* logIn(server, adminKey)
      const socket = yield* rawSocket(server.port)
      socket.write(`GET ${many} HTTP/1.1\r\nHost: evil.example:${server.port}\r\nCookie: ${cookie}\r\n\r\n`)
      assert.match(yield* socket.receive(/CLICKS_HOSTS/), /^HTTP\/1\.1 403 /)
    })
  )

  it.live("uses a Secure cookie with the prefix __Host- behind a trusted proxy with TLS", () =>
    Effect.gen(function* () {
      const https = { "x-forwarded-proto": "https" }
      const proxied = yield* testServer({
        options: { trustedProxies: Result.getOrThrow(parseTrustedProxies("127.0.0.0/8")) }
      })
      const { cookie, headers } = yield* logIn(proxied, adminKey, https)
      assert.match(
        headers.get("set-cookie") ?? "",
        /^__Host-clicks_session_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/
      )
      assert.strictEqual(yield* statusOf(proxied, many, { ...https, cookie }), 200)
      assert.strictEqual(yield* statusOf(proxied, many, { cookie }), 401)
      const direct = yield* testServer()
      const { cookie: plain } = yield* logIn(direct, adminKey, https)
      assert.match(plain, /^clicks_session_/)
    })
  )

  it.live("cannot be checked while the database is down, like a key, and the log shows why", () =>
    Effect.gen(function* () {
      const away = new PortError({ port: "sessions", operation: "find", cause: "down" })
      const down = { begin: () => away, find: () => away, end: () => away }
      const server = yield* testServer({ sessions: Layer.succeed(Sessions, down) })
      const answer = yield* server.ask(many, { headers: { cookie: `clicks_session_${server.port}=x` } })
      assert.strictEqual(answer.status, 503)
      assert.strictEqual((yield* server.ask(path, loggingIn({ key: adminKey }))).status, 503)
      assert.match(server.log.join("\n"), /A session cannot be checked.*The sessions cannot be reached/)
    })
  )

  it.live("is ignored in requests with a key, and never becomes the user of a click", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const { cookie } = yield* logIn(server, adminKey)
      assert.strictEqual(yield* statusOf(server, many, { cookie, "x-api-key": "clk_wrong" }), 401)
      const click = posting({ product_id: "p-1", action: "view", source: "web" })
      yield* server.ask("/api/events/product-click", { ...click, headers: { ...click.headers, cookie } })
      const [stored] = yield* server.stored
      assert.isNull(stored?.user_id)
    })
  )
})
