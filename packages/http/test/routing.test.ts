import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rawSocket, requestText } from "./rawSocket.ts"
import { type Answer, click, many, one, posting, testServer } from "./TestServer.ts"

const isError = ({ headers, json }: Answer) => {
  assert.deepStrictEqual(Object.keys(json as object), ["error"])
  assert.strictEqual(headers.get("content-type"), "application/json")
  assert.strictEqual(headers.get("cache-control"), "no-store")
  assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
}

describe("an unknown path", () => {
  it.live("returns 404 {error} for every method and every way of escaping", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const paths = [
        "/api",
        "/api/events",
        "/API/events/product-click",
        "/api/events/product-click%20",
        "/%E0%A4%A",
        "/%",
        "/%00",
        "/api/%ff/x",
        "/api/events/product-click%2F..",
        "/etc/passwd",
        `/${"a".repeat(5_000)}`
      ]
      for (const path of paths) {
        for (const method of ["GET", "POST", "DELETE"]) {
          const answer = yield* server.ask(path, { method })
          assert.strictEqual(answer.status, 404, `${method} ${path}`)
          isError(answer)
        }
      }
      assert.deepStrictEqual(server.log, [])
    })
  )
})

describe("a known path with an invalid segment", () => {
  it.live("returns 404 {error} if it is badly encoded or too long", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const path of ["/api/tasks/%ff", `/api/tasks/${"a".repeat(3_000)}`]) {
        const answer = yield* server.ask(path)
        assert.strictEqual(answer.status, 404, path)
        isError(answer)
      }
    })
  )
})

describe("the URL that the service prints", () => {
  it.live("redirects to the documentation", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const answer = yield* server.ask("/")
      assert.strictEqual(answer.status, 200)
      assert.match(answer.headers.get("content-type") ?? "", /^text\/html/)
    })
  )
})

describe("an unsupported method", () => {
  it.live("returns 405 {error} with the supported methods", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const [method, path, allow] of [
        ["GET", one, "POST, OPTIONS"],
        ["HEAD", one, "POST, OPTIONS"],
        ["DELETE", one, "POST, OPTIONS"],
        ["PUT", many, "POST, GET, HEAD, OPTIONS"],
        ["PROPFIND", many, "POST, GET, HEAD, OPTIONS"],
        ["POST", `${many}/export`, "GET, HEAD, OPTIONS"],
        ["PATCH", "/livez", "GET, HEAD, OPTIONS"],
        ["POST", "/openapi.json?x=1", "GET, HEAD, OPTIONS"],
        ["DELETE", "/docs", "GET, HEAD, OPTIONS"],
        ["GET", `/${one}/`, "POST, OPTIONS"]
      ] as const) {
        const answer = yield* server.ask(path, { method })
        assert.strictEqual(answer.status, 405, `${method} ${path}`)
        assert.strictEqual(answer.headers.get("allow"), allow)
        if (method !== "HEAD") isError(answer)
      }
    })
  )
})

describe("HEAD and OPTIONS", () => {
  it.live("work on every path with GET", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      for (const path of ["/livez", "/readyz", "/openapi.json", "/docs", `${many}/export`, many]) {
        const head = yield* server.askAdmin(path, { method: "HEAD" })
        assert.deepStrictEqual([head.status, head.text], [200, ""], path)
        const options = yield* server.ask(path, { method: "OPTIONS" })
        assert.strictEqual(options.status, 204, path)
        assert.include(options.headers.get("allow") ?? "", "GET, HEAD")
      }
    })
  )
})

describe("a path with extra slashes", () => {
  it.live("is routed without them", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      assert.strictEqual((yield* server.ask(`${one}/`, posting(click))).status, 200)
      assert.strictEqual((yield* server.ask(`/${one}`, posting(click))).status, 200)
      assert.strictEqual((yield* server.stored).length, 2)
    })
  )
})

describe("a malformed request", () => {
  const send = Effect.fnUntraced(function* (text: string) {
    const server = yield* testServer()
    const socket = yield* rawSocket(server.port)
    socket.write(text)
    const answer = yield* socket.closed
    const next = yield* server.ask(one, posting(click))
    assert.strictEqual(next.status, 200)
    const [head = "", body = ""] = answer.split("\r\n\r\n")
    return { status: head.split(" ")[1], head, body }
  }, Effect.scoped)

  it.live("gets {error} and a closed connection", () =>
    Effect.gen(function* () {
      for (const [text, status] of [
        ["nonsense\r\n\r\n", "400"],
        ["GET /livez HTTP/1.1\r\nHost: t\r\nBad Header: x\r\n\r\n", "400"],
        ["BREW /livez HTTP/1.1\r\nHost: t\r\n\r\n", "400"],
        [`POST ${one} HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`, "400"],
        [`POST ${one} HTTP/1.1\r\nHost: t\r\nContent-Length: -1\r\n\r\n`, "400"],
        [`GET /livez HTTP/1.1\r\nHost: t\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, "431"],
        ["GET /livez HTTP/1.1\r\n\r\n", "400"],
        ["GET /livez HTTP/1.1\r\nHost: t\r\nhost: t\r\n\r\n", "400"],
        [`POST ${one} HTTP/1.1\r\nHost: t\r\nHost: u\r\nContent-Length: 2\r\n\r\n{}`, "400"],
        [`POST ${one} HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}`, "400"],
        [`POST ${one} HTTP/1.1\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n`, "400"],
        [`POST ${one} HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\nExpect: wonders\r\n\r\n`, "417"],
        [`POST ${one} HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\nExpect: wonders\r\n\r\n{}`, "417"]
      ] as const) {
        const answer = yield* send(text)
        assert.strictEqual(answer.status, status, text.slice(0, 60))
        for (const line of [
          "Connection: close",
          "Content-Type: application/json",
          "Cache-Control: no-store",
          "X-Content-Type-Options: nosniff"
        ]) {
          assert.include(answer.head.toLowerCase(), `\r\n${line.toLowerCase()}`, text.slice(0, 60))
        }
        assert.hasAllKeys(JSON.parse(answer.body), ["error"])
      }
    })
  )

  it.live("closes its connection: clicks pipelined behind it are not recorded", () =>
    Effect.gen(function* () {
      const refused = [
        "GET /livez HTTP/1.1\r\n\r\n",
        `POST ${one} HTTP/1.1\r\nHost: t\r\nHost: u\r\nContent-Length: 2\r\n\r\n{}`,
        `POST ${one} HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\nExpect: wonders\r\n\r\n{}`
      ]
      const server = yield* testServer()
      for (const text of refused) {
        const socket = yield* rawSocket(server.port)
        socket.write(
          text + requestText(one, JSON.stringify(click)) + requestText(many, JSON.stringify([click]))
        )
        assert.lengthOf((yield* socket.closed).match(/HTTP\/1.1 \d/g) ?? [], 1, text)
      }
      // After this round trip, everything read before it has been recorded.
      yield* server.ask(one, posting({ ...click, product_id: "last" }))
      assert.deepStrictEqual(
        (yield* server.stored).map(({ product_id }) => product_id),
        ["last"]
      )
    })
  )

  it.live("needs no Host in HTTP/1.0", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* send("GET /livez HTTP/1.0\r\n\r\n")).status, "200")
    })
  )

  it.live("gets a response in HTTP/1.1 if it offers an upgrade", () =>
    Effect.gen(function* () {
      const body = JSON.stringify(click)
      const h2c =
        "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
      const answer = yield* send(
        `POST ${one} HTTP/1.1\r\nHost: t\r\n${h2c}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      )
      assert.deepStrictEqual([answer.status, answer.body], ["200", '{"status":"ok"}'])
    })
  )

  it.live("may have an absolute URL; * is not found", () =>
    Effect.gen(function* () {
      const close = "Host: t\r\nConnection: close\r\n\r\n"
      assert.strictEqual((yield* send(`GET http://t/livez HTTP/1.1\r\n${close}`)).status, "200")
      assert.strictEqual((yield* send(`GET //livez HTTP/1.0\r\n${close}`)).status, "200")
      assert.strictEqual((yield* send(`OPTIONS * HTTP/1.1\r\n${close}`)).status, "404")
    })
  )
})
