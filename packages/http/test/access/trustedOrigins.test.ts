import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { TrustedOrigins } from "@clicks/core/access/TrustedOrigins"
import { PortError } from "@clicks/core/values/PortError"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { parseTrustedProxies } from "../../src/access/ClientAddress.ts"
import type { HttpServerOptions } from "../../src/HttpServerOptions.ts"
import { rawSocket } from "../rawSocket.ts"
import {
  adminKey,
  click,
  many,
  one,
  posting,
  type Request,
  type TestServer,
  testServer
} from "../TestServer.ts"

const path = "/api/admin/trusted-origins"
const shop = "https://shop.example"
const unknown = "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a"

const sending = (method: string, body: unknown): Request => ({ ...posting(body), method })

interface Entry {
  readonly id: string
  readonly kind: string
  readonly value: string
  readonly name: string | null
  readonly enabled: boolean
  readonly effect: string
}

const add = Effect.fnUntraced(function* (server: TestServer, kind: string, value: string, more: object = {}) {
  const { json, status } = yield* server.askAdmin(path, posting({ kind, value, ...more }))
  assert.strictEqual(status, 201, JSON.stringify(json))
  return json as Entry
})

const statusOf = (server: TestServer, asked = many, headers: Record<string, string> = {}) =>
  Effect.map(server.ask(asked, { headers }), ({ status }) => status)

/** A server behind a trusted proxy, so that a test can send requests from any address. */
const behindProxy = (options: Partial<HttpServerOptions> = {}) =>
  testServer({
    options: { trustedProxies: Result.getOrThrow(parseTrustedProxies("127.0.0.0/8")), ...options }
  })

const from = (address: string) => ({ "X-Forwarded-For": address })

describe("the list of trusted origins", () => {
  it.live("lists added entries, newest first and normalised", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      assert.deepStrictEqual((yield* server.askAdmin(path)).json, { trusted_origins: [], total: 0 })
      const office = yield* add(server, "address", "10.0.0.1/8", { name: "office" })
      assert.hasAllKeys(office, [
        "id",
        "kind",
        "value",
        "name",
        "enabled",
        "effect",
        "created_at",
        "updated_at"
      ])
      assert.deepInclude(office, {
        kind: "address",
        value: "10.0.0.0/8",
        name: "office",
        enabled: true,
        effect: "bypass"
      })
      const page = yield* add(server, "domain", "Shop.Example.", { enabled: false })
      assert.deepInclude(page, { value: "shop.example", name: null, enabled: false, effect: "cors" })
      const pages = yield* add(server, "pattern", "*.Shops.Example")
      assert.deepInclude(pages, { value: "*.shops.example", effect: "cors" })
      const list = yield* server.askAdmin(path)
      assert.strictEqual(list.status, 200)
      assert.deepStrictEqual(list.json, { trusted_origins: [pages, page, office], total: 3 })
    })
  )

  it.live("has the effect bypass for each kind if Origin headers are trusted", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { trustOriginHeader: true } })
      assert.propertyVal(yield* add(server, "domain", "shop.example"), "effect", "bypass")
      assert.propertyVal(yield* add(server, "pattern", "*.shop.example"), "effect", "bypass")
      assert.propertyVal(yield* add(server, "address", "::1"), "effect", "bypass")
    })
  )

  it.live("changes the given fields of an entry", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const entry = yield* add(server, "domain", "shop.example", { name: "shop" })
      const put = (body: unknown) => server.askAdmin(`${path}/${entry.id}`, sending("PUT", body))
      const disabled = yield* put({ enabled: false })
      assert.strictEqual(disabled.status, 200)
      assert.deepInclude(disabled.json, {
        ...entry,
        enabled: false,
        updated_at: Reflect.get(disabled.json as object, "updated_at")
      })
      const moved = yield* put({ kind: "address", value: "2001:DB8::/32", name: null, enabled: true })
      assert.deepInclude(moved.json, {
        kind: "address",
        value: "2001:db8::/32",
        name: null,
        effect: "bypass"
      })
      // As listed: fields that cannot be changed are ignored.
      const same = yield* put({ ...(moved.json as object), id: unknown, effect: "cors", created_at: "x" })
      assert.deepInclude(same.json, { id: entry.id, value: "2001:db8::/32", effect: "bypass" })
    })
  )

  it.live("removes an entry", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const entry = yield* add(server, "domain", "shop.example")
      const { status, text } = yield* server.askAdmin(`${path}/${entry.id}`, { method: "DELETE" })
      assert.deepStrictEqual([status, text], [204, ""])
      assert.propertyVal((yield* server.askAdmin(path)).json, "total", 0)
      yield* add(server, "domain", "shop.example")
    })
  )

  it.live("trusts everyone only with allow_everyone, and changes such an entry without it", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const everyone = { kind: "address", value: "0.0.0.0/0" }
      const refused = yield* server.askAdmin(path, posting(everyone))
      assert.strictEqual(refused.status, 400)
      assert.match(refused.text, /would let almost anyone read without a credential\. .* allow_everyone/)
      const entry = yield* add(server, "address", "10.0.0.0/8")
      const put = (body: unknown) => server.askAdmin(`${path}/${entry.id}`, sending("PUT", body))
      assert.strictEqual((yield* put({ value: "::/0" })).status, 400)
      assert.strictEqual((yield* put({ value: "::/0", allow_everyone: true })).status, 200)
      const disabled = yield* put({ value: "::/0", enabled: false })
      assert.deepInclude(disabled.json, { value: "::/0", enabled: false })
      assert.strictEqual((yield* put({ value: "0.0.0.0/0" })).status, 400)
      yield* add(server, "address", "0.0.0.0/0", { allow_everyone: true })
      assert.strictEqual(yield* statusOf(server), 200)
    })
  )

  it.live("returns 404 for an unknown id", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const id of [unknown, "x", "%27"]) {
        const asked = `${path}/${id}`
        for (const init of [sending("PUT", { enabled: false }), { method: "DELETE" }]) {
          const { json, status } = yield* server.askAdmin(asked, init)
          assert.deepStrictEqual(
            [status, json],
            [404, { error: `There is no trusted origin ${decodeURIComponent(id)}` }]
          )
        }
      }
    })
  )

  it.live("returns 409 for a duplicate value in any spelling", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      yield* add(server, "address", "10.0.0.0/8")
      const other = yield* add(server, "address", "::1")
      const value = "::ffff:10.9.9.9/104"
      for (const answer of [
        yield* server.askAdmin(path, posting({ kind: "address", value })),
        yield* server.askAdmin(`${path}/${other.id}`, sending("PUT", { value }))
      ]) {
        assert.deepStrictEqual(
          [answer.status, answer.json],
          [409, { error: "There is an entry with the value 10.0.0.0/8 already" }]
        )
      }
      assert.propertyVal((yield* server.askAdmin(path)).json, "total", 2)
    })
  )

  it.live("returns 400 for invalid fields and stores nothing", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const entry = yield* add(server, "domain", "shop.example")
      const value = "10.0.0.1"
      const cases: ReadonlyArray<readonly [unknown, RegExp]> = [
        [{ kind: "ip", value }, /^kind must be one of: address, domain, pattern$/],
        [{ kind: "address", value: "10.0.0.0/33" }, /^value must be an IP address or a CIDR range/],
        [{ kind: "address", value: 10 }, /^value must be an IP address/],
        [{ kind: "domain", value: "https://shop.example" }, /^value must be a host name alone/],
        [{ kind: "pattern", value: ".*" }, /^value must be \*\. and a host name/],
        [{ kind: "pattern", value: "*.com" }, /^value must be \*\. and a host name/],
        [{ kind: "address", value, name: 1 }, /^name must be a text/],
        [{ kind: "address", value, enabled: "yes" }, /^enabled must be true or false$/],
        [[], /^The body must be a JSON object$/],
        [null, /^The body must be a JSON object$/]
      ]
      for (const [body, sentence] of cases) {
        for (const answer of [
          yield* server.askAdmin(path, posting(body)),
          yield* server.askAdmin(`${path}/${entry.id}`, sending("PUT", body))
        ]) {
          assert.strictEqual(answer.status, 400, JSON.stringify(body))
          assert.match(String(Reflect.get(answer.json as object, "error")), sentence)
        }
      }
      const absent = yield* server.askAdmin(path, posting({ value }))
      assert.deepStrictEqual(
        [absent.status, absent.json],
        [400, { error: "kind must be one of: address, domain, pattern" }]
      )
      assert.deepStrictEqual((yield* server.askAdmin(path)).json, { trusted_origins: [entry], total: 1 })
    })
  )

  it.live("returns 400, 413 and 415 for bodies that are not JSON, too large or of another type", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const post = (body: string, type = "application/json") =>
        server.askAdmin(path, { method: "POST", headers: { "Content-Type": type }, body })
      const answers = [
        yield* post("{"),
        yield* post(`"${"x".repeat(70_000)}"`),
        yield* post("kind=address", "text/csv")
      ]
      assert.deepStrictEqual(
        answers.map(({ json, status }) => [status, json]),
        [
          [400, { error: "The body is not JSON" }],
          [413, { error: "Body too large: the limit is 65536 bytes" }],
          [415, { error: "Unsupported content type. Send the body as application/json" }]
        ]
      )
    })
  )

  it.live("requires the role admin", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const entry = yield* add(server, "address", "127.0.0.1")
      const requests: ReadonlyArray<readonly [string, Request]> = [
        [path, {}],
        [path, posting({ kind: "address", value: "10.0.0.1" })],
        [`${path}/${entry.id}`, sending("PUT", { enabled: false })],
        [`${path}/${entry.id}`, { method: "DELETE" }]
      ]
      const reader = yield* server.key("reader")
      for (const [asked, init] of requests) {
        const asReader = yield* server.ask(asked, {
          ...init,
          headers: { ...init.headers, "X-API-Key": reader }
        })
        assert.deepStrictEqual([asReader.status, asReader.json], [403, { error: "Requires the role admin" }])
        const asNobody = yield* server.ask(asked, {
          ...init,
          headers: { ...init.headers, "X-API-Key": "nonsense" }
        })
        assert.deepStrictEqual([asNobody.status, asNobody.json], [401, { error: "Authentication required" }])
        // This address is trusted, which grants the role reader, not admin.
        assert.strictEqual((yield* server.ask(asked, init)).status, 403)
      }
      assert.propertyVal((yield* server.askAdmin(path)).json, "total", 1)
    })
  )

  it.live("returns 405 for other methods", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      assert.strictEqual((yield* server.askAdmin(path, { method: "DELETE" })).status, 405)
      assert.strictEqual((yield* server.askAdmin(`${path}/${unknown}`)).status, 405)
    })
  )

  const away = Effect.fail(
    new PortError({ port: "trusted origins", operation: "test", cause: new Error("secret") })
  )
  const origins = Layer.succeed(TrustedOrigins, {
    list: away,
    add: () => away,
    update: () => away,
    remove: () => away
  })

  it.live("returns 500 without internals when the list cannot be read", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ origins })
      const requests = [
        [yield* server.askAdmin(path), "Failed to list trusted origins"],
        [
          yield* server.askAdmin(path, posting({ kind: "domain", value: "a.example" })),
          "Failed to add a trusted origin"
        ],
        [
          yield* server.askAdmin(`${path}/${unknown}`, sending("PUT", {})),
          "Failed to update a trusted origin"
        ],
        [
          yield* server.askAdmin(`${path}/${unknown}`, { method: "DELETE" }),
          "Failed to remove a trusted origin"
        ]
      ] as const
      for (const [{ json, status }, error] of requests)
        assert.deepStrictEqual([status, json], [500, { error }])
      assert.include(server.log.join("\n"), "secret")
    })
  )

  it.live("trusts no address and still accepts keys when the list cannot be read", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ origins, options: { trustOriginHeader: true } })
      const reader = yield* server.key("reader")
      assert.strictEqual(yield* statusOf(server), 401)
      assert.strictEqual(yield* statusOf(server, many, { Origin: shop }), 401)
      assert.strictEqual(yield* statusOf(server, many, { "X-API-Key": reader }), 200)
      assert.strictEqual(yield* statusOf(server, many, { "X-API-Key": reader, Origin: shop }), 200)
      assert.strictEqual((yield* server.ask(one, posting(click, { Origin: shop }))).status, 200)
      const warnings = server.log.filter((line) => line.includes("trusting none for now"))
      assert.lengthOf(warnings, 1)
    })
  )
})

describe("a trusted address", () => {
  const readable = [
    many,
    `${many}/export`,
    "/api/analytics/product-clicks",
    "/api/analytics/funnel",
    "/metrics"
  ]

  it.live("reads without a credential from when it is added until it is removed", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const statuses = Effect.forEach(readable, (asked) => statusOf(server, asked))
      assert.deepStrictEqual(new Set(yield* statuses), new Set([401]))
      const { id } = yield* add(server, "address", "127.0.0.0/8")
      assert.deepStrictEqual(new Set(yield* statuses), new Set([200]))
      yield* server.askAdmin(`${path}/${id}`, sending("PUT", { enabled: false }))
      assert.deepStrictEqual(new Set(yield* statuses), new Set([401]))
      yield* server.askAdmin(`${path}/${id}`, sending("PUT", { enabled: true }))
      assert.deepStrictEqual(new Set(yield* statuses), new Set([200]))
      yield* server.askAdmin(`${path}/${id}`, { method: "DELETE" })
      assert.deepStrictEqual(new Set(yield* statuses), new Set([401]))
    })
  )

  it.live("does not make up for an invalid credential", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      yield* add(server, "address", "127.0.0.1")
      assert.strictEqual(yield* statusOf(server), 200)
      for (const headers of [
        { "X-API-Key": "nonsense" },
        { "X-API-Key": "" },
        { Authorization: `Bearer clk_${"A".repeat(43)}` },
        { Authorization: "Bearer" },
        { Authorization: "bearer " }
      ]) {
        assert.strictEqual(
          yield* statusOf(server, many, headers as Record<string, string>),
          401,
          JSON.stringify(headers)
        )
      }
      assert.strictEqual(yield* statusOf(server, many, { Authorization: "Basic dXNlcjpwYXNz" }), 200)
    })
  )

  it.live("does not become the user of a click", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      yield* add(server, "address", "127.0.0.1")
      yield* server.ask(one, posting(click))
      yield* server.ask(one, posting(click, { Authorization: "Basic dXNlcjpwYXNz" }))
      assert.deepStrictEqual(
        (yield* server.stored).map((stored) => stored.user_id),
        [null, null]
      )
    })
  )

  it.live("is the client's address as a trusted proxy forwards it", () =>
    Effect.gen(function* () {
      const server = yield* behindProxy()
      yield* add(server, "address", "192.0.2.0/24")
      yield* add(server, "address", "2001:db8::/32")
      for (const address of [
        "192.0.2.7",
        "203.0.113.9, 192.0.2.7",
        "::ffff:192.0.2.7",
        "2001:db8::7",
        "[2001:db8::7]:443"
      ]) {
        assert.strictEqual(yield* statusOf(server, many, from(address)), 200, address)
      }
      for (const address of ["192.0.3.7", "192.0.2.7, 203.0.113.9", "2001:db9::7", "unknown", ""]) {
        assert.strictEqual(yield* statusOf(server, many, from(address)), 401, address)
      }
    })
  )

  it.live("cannot be forged by a client that is not a trusted proxy", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      yield* add(server, "address", "192.0.2.0/24")
      assert.strictEqual(yield* statusOf(server, many, from("192.0.2.7")), 401)
    })
  )

  it.live("is unknown for a client on a Unix socket, whatever its headers", () =>
    Effect.gen(function* () {
      const everybody = {
        id: unknown,
        kind: "address",
        value: "0.0.0.0/0",
        name: null,
        enabled: true
      } as const
      const list = Effect.succeed([{ ...everybody, created_at: new Date(), updated_at: new Date() }])
      const socketPath = `/tmp/clicks-http-trust-${process.pid}-${Date.now()}.sock`
      yield* testServer({ origins: Layer.mock(TrustedOrigins, { list }), options: { socketPath } })
      const socket = yield* rawSocket(socketPath)
      socket.write(
        `GET ${many} HTTP/1.1\r\nHost: test\r\nX-Forwarded-For: 10.0.0.1\r\nConnection: close\r\n\r\n`
      )
      assert.match(yield* socket.closed, /^HTTP\/1\.1 401 /)
    })
  )

  it.live("works while keys cannot be looked up, and keys work while the list cannot be read", () =>
    Effect.gen(function* () {
      const down = Effect.fail(new PortError({ port: "API keys", operation: "verify", cause: "away" }))
      const keys = Layer.mock(ApiKeys, { verify: () => down })
      const server = yield* testServer({ keys })
      yield* add(server, "address", "127.0.0.1")
      assert.strictEqual(yield* statusOf(server), 200)
      assert.strictEqual(yield* statusOf(server, many, { "X-API-Key": `clk_${"A".repeat(43)}` }), 503)
    })
  )
})

describe("a trusted domain or pattern", () => {
  const matching = [shop, "http://shop.example:8080", "https://www.shops.example"]
  const others = [
    "https://evil.example",
    "https://a.shop.example",
    "https://a.www.shops.example",
    "https://shops.example",
    "null"
  ]

  const trusting = Effect.fnUntraced(function* (options: Partial<HttpServerOptions> = {}) {
    const server = yield* behindProxy(options)
    yield* add(server, "domain", "shop.example")
    yield* add(server, "pattern", "*.shops.example")
    return server
  })

  const preflight = (origin: string, method = "GET") => ({
    method: "OPTIONS",
    headers: {
      Origin: origin,
      "Access-Control-Request-Method": method,
      "Access-Control-Request-Headers": "authorization,x-api-key"
    }
  })

  it.live("does not authenticate: any client can forge an Origin header", () =>
    Effect.gen(function* () {
      const server = yield* trusting()
      for (const Origin of [...matching, ...others])
        assert.strictEqual(yield* statusOf(server, many, { Origin }), 401)
    })
  )

  it.live("reads without a credential if the server trusts Origin headers", () =>
    Effect.gen(function* () {
      const server = yield* trusting({ trustOriginHeader: true })
      for (const Origin of matching)
        assert.strictEqual(yield* statusOf(server, many, { Origin }), 200, Origin)
      for (const Origin of others) assert.strictEqual(yield* statusOf(server, many, { Origin }), 401, Origin)
      assert.strictEqual(yield* statusOf(server, path, { Origin: shop }), 403)
      assert.strictEqual(yield* statusOf(server, many, { Origin: shop, "X-API-Key": "nonsense" }), 401)
    })
  )

  it.live("lets only its pages read responses with a credential, never with cookies", () =>
    Effect.gen(function* () {
      const server = yield* trusting()
      const reading = ["", "?limit=x"].map((query) => many + query)
      for (const asked of [...reading, `${many}/export`, "/api/analytics/funnel?group_by=x"]) {
        for (const Origin of [...matching, ...others]) {
          const { headers } = yield* server.ask(asked, { headers: { Origin, "X-API-Key": adminKey } })
          assert.strictEqual(
            headers.get("access-control-allow-origin"),
            matching.includes(Origin) ? Origin : null,
            `${asked} ${Origin}`
          )
          assert.strictEqual(headers.get("vary"), "Origin")
          assert.isNull(headers.get("access-control-allow-credentials"))
        }
      }
      const refused = yield* server.ask(many, { headers: { Origin: shop } })
      assert.strictEqual(refused.status, 401)
      assert.strictEqual(refused.headers.get("access-control-allow-origin"), shop)
      const plain = yield* server.askAdmin(many)
      assert.strictEqual(plain.headers.get("vary"), "Origin")
      assert.isNull(plain.headers.get("access-control-allow-origin"))
    })
  )

  it.live("may send a preflight for paths that readers can read", () =>
    Effect.gen(function* () {
      const server = yield* trusting({ corsOrigins: [] })
      const paths = [many, `${many}/export`, "/api/analytics/funnel", "/api/payloads/store/s-1/query"]
      for (const asked of paths) {
        const { headers, status } = yield* server.ask(asked, preflight(shop))
        assert.strictEqual(status, 204)
        assert.strictEqual(headers.get("access-control-allow-origin"), shop)
        assert.strictEqual(headers.get("access-control-allow-headers"), "authorization,x-api-key")
        assert.strictEqual(headers.get("access-control-allow-methods"), "GET, HEAD")
        assert.strictEqual(headers.get("vary"), "Origin")
        assert.isNull(headers.get("access-control-allow-credentials"))
        const other = yield* server.ask(asked, preflight("https://evil.example"))
        assert.isNull(other.headers.get("access-control-allow-origin"))
      }
      for (const [asked, method] of [
        [path, "GET"],
        [path, "POST"],
        [many, "DELETE"],
        ["/metrics", "GET"],
        ["/api/payloads/store/s-1", "PUT"]
      ] as const) {
        const { headers } = yield* server.ask(asked, preflight(shop, method))
        assert.isNull(headers.get("access-control-allow-origin"), `${method} ${asked}`)
      }
    })
  )

  it.live("cannot read what only admins can read, nor the metrics", () =>
    Effect.gen(function* () {
      const server = yield* trusting()
      for (const asked of [path, "/metrics"]) {
        const { headers, status } = yield* server.ask(asked, {
          headers: { Origin: shop, "X-API-Key": adminKey }
        })
        assert.strictEqual(status, 200)
        assert.isNull(headers.get("access-control-allow-origin"), asked)
      }
    })
  )

  it.live("does not match an address, and an address does not match a page's host", () =>
    Effect.gen(function* () {
      const server = yield* behindProxy({ trustOriginHeader: true })
      yield* add(server, "address", "192.0.2.7")
      assert.strictEqual(yield* statusOf(server, many, { Origin: "http://192.0.2.7" }), 401)
      const { headers } = yield* server.ask(many, { headers: { Origin: "http://192.0.2.7" } })
      assert.isNull(headers.get("access-control-allow-origin"))
    })
  )
})
