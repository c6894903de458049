import { connect } from "node:net"
import type { ClickReceipt } from "@clicks/core/clicks/recording/ClickReceipt"
import * as ClickRecorder from "@clicks/core/clicks/recording/ClickRecorder"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Result, Scope, Tracer } from "effect"
import { parseTrustedProxies } from "../../src/access/ClientAddress.ts"
import { rawSocket, requestText } from "../rawSocket.ts"
import { click, one, posting, testServer } from "../TestServer.ts"

const request = (product_id: string, headers: ReadonlyArray<string> = []) =>
  requestText(one, JSON.stringify({ ...click, product_id }), ["Content-Type: application/json", ...headers])

const answers = (count: number) => new RegExp(`^(?:HTTP/1[^{]*\\{[^}]*\\}){${count}}$`)
const statuses = (text: string) =>
  Array.from(text.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status))

const receipt: ClickReceipt = { id: "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a", outcome: "stored" }

/** A recorder that does not respond until the gate opens. */
const heldRecorder = Effect.gen(function* () {
  const asked = yield* Deferred.make<void>()
  const gate = yield* Deferred.make<void>()
  const fork = Effect.runForkWith(yield* Effect.context())
  const recorder = Layer.mock(ClickRecorder.ClickRecorder, {
    offer: (_, onResult) => {
      Deferred.doneUnsafe(asked, Effect.void)
      fork(
        Effect.andThen(
          Deferred.await(gate),
          Effect.sync(() => onResult(Result.succeed(receipt)))
        )
      )
    }
  })
  return { asked, gate, recorder }
})

describe("a connection that sends clicks", () => {
  it.live("gets the same responses as any other, and stays open", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const socket = yield* rawSocket(server.port)
      socket.write(request("p-1"))
      const plain = yield* socket.receive(answers(1))
      // Node's own server handles this one, because it has no Content-Length.
      const other = yield* rawSocket(server.port)
      const body = JSON.stringify({ ...click, product_id: "p-1" })
      other.write(
        `POST ${one} HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n` +
          `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
      )
      const general = yield* other.receive(answers(1))
      const comparable = (text: string) =>
        text
          .replace(/click-id: \S+/, "click-id: …")
          .replace(/Date: [A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/, "Date: …")
      assert.strictEqual(comparable(plain), comparable(general))
      assert.match(plain, /Date: \w{3}, [\s\S]*Connection: keep-alive\r\nKeep-Alive: timeout=75\r\n/)
      socket.write(request("p-2"))
      yield* socket.receive(answers(2))
      assert.lengthOf(yield* server.stored, 3)
    })
  )

  it.live("may pipeline them: responses come in order", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const socket = yield* rawSocket(server.port)
      const broken = requestText(one, "{", ["Content-Type: application/json"])
      socket.write(request("p-1") + broken + request("p-2") + request("p-3").slice(0, -5))
      yield* socket.receive(answers(3))
      socket.write(request("p-3").slice(-5) + request("p-4"))
      assert.deepStrictEqual(statuses(yield* socket.receive(answers(5))), [200, 400, 200, 200, 200])
      const stored = yield* server.stored
      assert.sameMembers(
        stored.map(({ product_id }) => product_id),
        ["p-1", "p-2", "p-3", "p-4"]
      )
    })
  )

  it.live("may send them in pieces", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const text = request("p-1")
      for (const at of [1, 20, text.indexOf("\r\n\r\n") + 3, text.length - 1]) {
        const socket = yield* rawSocket(server.port)
        socket.socket.setNoDelay(true)
        socket.write(text.slice(0, at))
        // After this round trip on another connection, the first piece has been read.
        yield* server.ask(one, posting(click))
        socket.write(text.slice(at))
        assert.deepStrictEqual(statuses(yield* socket.receive(answers(1))), [200], `cut at ${at}`)
      }
      assert.lengthOf(yield* server.stored, 8)
    })
  )

  it.live("may send other requests in between", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const socket = yield* rawSocket(server.port)
      const live = "GET /livez HTTP/1.1\r\nHost: t\r\n\r\n"
      socket.write(request("p-1") + live + request("p-2"))
      yield* socket.receive(answers(3))
      socket.write(live)
      yield* socket.receive(answers(4))
      socket.write(request("p-3"))
      assert.deepStrictEqual(statuses(yield* socket.receive(answers(5))), [200, 200, 200, 200, 200])
      assert.lengthOf(yield* server.stored, 3)
    })
  )

  it.live("does not mix up the senders of its requests", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { trustedProxies: [] } })
      const secret = yield* server.key("reader", "u-7")
      const socket = yield* rawSocket(server.port)
      const senders = [
        ["User-Agent: one"],
        ["User-Agent: two"],
        [`X-API-Key: ${secret}`],
        ["User-Agent: one"],
        []
      ]
      for (const [index, headers] of senders.entries()) {
        socket.write(request(`p-${index}`, headers))
        yield* socket.receive(answers(index + 1))
      }
      const stored = (yield* server.stored).toSorted((a, b) => (a.product_id < b.product_id ? -1 : 1))
      assert.deepStrictEqual(
        stored.map(({ user_agent, user_id }) => [user_agent, user_id]),
        [
          ["one", null],
          ["two", null],
          [null, "u-7"],
          ["one", null],
          [null, null]
        ]
      )
    })
  )

  it.live("stores one key once, whether or not its requests bypass Node's HTTP server", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const socket = yield* rawSocket(server.port)
      const keyed = request("p-1", ["Idempotency-Key: k-1"])
      socket.write(keyed + keyed)
      assert.match(yield* socket.receive(answers(2)), /receipt: stored[\s\S]*receipt: duplicate/)
      const again = yield* server.ask(
        one,
        posting({ ...click, product_id: "p-1" }, { "Idempotency-Key": "k-1" })
      )
      assert.strictEqual(again.headers.get("click-receipt"), "duplicate")
      assert.lengthOf(yield* server.stored, 1)
    })
  )

  it.live("is closed after the response when the client half-closes it", () =>
    Effect.gen(function* () {
      const { asked, gate, recorder } = yield* heldRecorder
      const server = yield* testServer({ recorder })
      const socket = yield* rawSocket(server.port)
      socket.write(request("p-1"))
      socket.leave()
      yield* Deferred.await(asked)
      yield* Deferred.succeed(gate, undefined)
      assert.match(yield* socket.closed, /^HTTP\/1.1 200 OK[\s\S]*\{"status":"ok"\}$/)
    })
  )

  it.live("gets responses to pipelined requests, even if the client half-closes it meanwhile", () =>
    Effect.gen(function* () {
      const held = yield* heldRecorder
      const server = yield* testServer({ recorder: held.recorder })
      const ahead = [request("p-2"), request("p-2").slice(0, -3)]
      const sockets = yield* Effect.forEach(ahead, () => rawSocket(server.port))
      for (const { write } of sockets) write(request("p-1"))
      yield* server.ask("/livez")
      for (const [index, { leave, write }] of sockets.entries()) {
        write(ahead[index] ?? "")
        leave()
      }
      // After this round trip on another connection, everything has been read.
      yield* server.ask("/livez")
      yield* Deferred.succeed(held.gate, undefined)
      const closed = yield* Effect.forEach(sockets, (socket) => socket.closed)
      assert.deepStrictEqual(closed.map(statuses), [
        [200, 200],
        [200, 400]
      ])
    })
  )

  it.live("gets 400 if the client half-closes it within a body", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const socket = yield* rawSocket(server.port)
      socket.write(request("p-1").slice(0, -3))
      socket.leave()
      assert.match(yield* socket.closed, /^HTTP\/1.1 400 Bad Request[\s\S]*\{"error":/)
      assert.lengthOf(yield* server.stored, 0)
    })
  )

  it.live("is closed after the pending response when the server stops", () =>
    Effect.gen(function* () {
      const { asked, gate, recorder } = yield* heldRecorder
      const scope = yield* Scope.make()
      const server = yield* testServer({ recorder }).pipe(Scope.provide(scope))
      const silent = yield* rawSocket(server.port)
      const busy = yield* rawSocket(server.port)
      busy.write(request("p-1"))
      yield* Deferred.await(asked)
      const stopped = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      assert.strictEqual(yield* silent.closed, "")
      yield* Deferred.succeed(gate, undefined)
      assert.match(yield* busy.closed, /^HTTP\/1.1 200 OK[\s\S]*Connection: close\r\n\r\n\{"status":"ok"\}$/)
      yield* Fiber.join(stopped)
    })
  )

  it.live("is closed when it is idle and the server stops", () =>
    Effect.gen(function* () {
      const { asked, gate, recorder } = yield* heldRecorder
      const scope = yield* Scope.make()
      const server = yield* testServer({ recorder, options: { stopWithin: "1 hour" } }).pipe(
        Scope.provide(scope)
      )
      const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true })
      yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
      socket.on("error", () => {})
      socket.write(request("p-1"))
      yield* Deferred.await(asked)
      const stopped = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(stopped)
      assert.isFalse(socket.writableEnded)
    })
  )

  it.live("is closed if the recorder never responds", () =>
    Effect.gen(function* () {
      const { asked, recorder } = yield* heldRecorder
      const server = yield* testServer({ recorder, options: { silentAtMost: "500 millis" } })
      const socket = yield* rawSocket(server.port)
      socket.write(request("p-1"))
      yield* Deferred.await(asked)
      assert.strictEqual(yield* socket.closed, "")
    })
  )

  it.live("uses Node's HTTP server if the setting is off or requests are traced", () =>
    Effect.gen(function* () {
      const spans: Array<string> = []
      const tracer = Tracer.make({
        span: (options) => {
          spans.push(options.name)
          return new Tracer.NativeSpan(options)
        }
      })
      const off = yield* testServer({ options: { plainConnections: false } })
      const traced = yield* testServer().pipe(Effect.provideService(Tracer.Tracer, tracer))
      for (const { port, stored } of [off, traced]) {
        const socket = yield* rawSocket(port)
        // Node does not close a connection for this, and announces that it stays open.
        socket.write(request("p-1"))
        socket.leave()
        assert.match(yield* socket.closed, /receipt: stored[\s\S]*Connection: keep-alive/)
        assert.lengthOf(yield* stored, 1)
      }
      assert.deepStrictEqual(spans, ["POST"])
    })
  )

  it.live("does not accumulate unread responses in memory", () =>
    Effect.gen(function* () {
      const sent = 2_000
      // An allowed origin is included in its responses.
      const origin = `https://${"x".repeat(10_000)}`
      let recorded = 0
      const recorder = Layer.mock(ClickRecorder.ClickRecorder, {
        offer: (_, onResult) => {
          recorded++
          setImmediate(() => onResult(Result.succeed(receipt)))
        }
      })
      // On a busy machine, the requests below may take longer than the limit for slow readers.
      const server = yield* testServer({ recorder, options: { corsOrigins: [origin], slowAtMost: "1 hour" } })
      const socket = yield* rawSocket(server.port)
      socket.socket.pause()
      socket.write(request("p-1", [`Origin: ${origin}`]).repeat(sent))
      // 20 MB of responses: more than the buffers of both sides hold.
      for (let last = 0; recorded === 0 || last < recorded; ) {
        last = recorded
        for (let asked = 0; asked < 20; asked++) yield* server.ask("/livez")
      }
      assert.isBelow(recorded, sent)
      socket.socket.resume()
      // When the responses are read, the remaining requests are processed, so this ends.
      while (recorded < sent) yield* server.ask("/livez")
    })
  )
})

describe("a request that is unusual", () => {
  const body = JSON.stringify(click)
  const with_ = (lines: ReadonlyArray<string>, text = body) =>
    [`POST ${one} HTTP/1.1`, ...lines, "", text].join("\r\n")
  const length = `Content-Length: ${body.length}`
  const json = "Content-Type: application/json"

  it.live("is handled by Node: recorded or rejected, and never parsed as two requests", () =>
    Effect.gen(function* () {
      const server = yield* testServer()
      const cases: ReadonlyArray<readonly [text: string, status: number]> = [
        [with_(["Host: t", json, length, "Connection: close"]), 200],
        [
          with_([
            "host:t",
            "CONTENT-TYPE:text/plain",
            `content-length:\t${body.length} `,
            "connection: close"
          ]),
          200
        ],
        [with_(["Host: t", json, length, "Cookie: a=\xe4", "Connection: close"]), 200],
        [`\r\n${with_(["Host: t", json, length, "Connection: close"])}`, 200],
        [with_(["Host: t", "Content-Type: image/png", length, "Connection: close"]), 415],
        [with_([json, length, "Connection: close"]), 400],
        [with_(["Host: t", json, length, length, "Connection: close"]), 400],
        [with_(["Host: t", json, length, `content-length: ${body.length + 1}`, "Connection: close"]), 400],
        [with_(["Host: t", json, length, "Transfer-Encoding: chunked", "Connection: close"]), 400],
        [with_(["Host: t", json, `Content-Length : ${body.length}`, "Connection: close"]), 400],
        [with_(["Host: t", json, `Content-Length: +${body.length}`, "Connection: close"]), 400],
        [with_(["Host: t", json, length, " folded: x", "Connection: close"]), 400],
        [with_(["Host: t", json, length, "X: a\rb", "Connection: close"]), 400],
        [with_(["Host: t", json, "Content-Length: 99999999", "Connection: close"], ""), 413],
        [with_(["Host: t", json, length, `X: ${"x".repeat(20_000)}`, "Connection: close"]), 431]
      ]
      for (const [text, status] of cases) {
        const socket = yield* rawSocket(server.port)
        socket.socket.write(text, "latin1")
        assert.deepStrictEqual(statuses(yield* socket.closed), [status], JSON.stringify(text.slice(0, 300)))
      }
      assert.lengthOf(yield* server.stored, cases.filter(([, status]) => status === 200).length)
    })
  )

  it.live("is parsed as Node parses it if a header is repeated", () =>
    Effect.gen(function* () {
      const trustedProxies = Result.getOrThrow(parseTrustedProxies("127.0.0.1, 10.2.2.2"))
      const server = yield* testServer({ options: { trustedProxies } })
      const socket = yield* rawSocket(server.port)
      socket.write(request("p-1", ["X-Forwarded-For: 10.1.1.1", "X-Forwarded-For: 10.2.2.2"]))
      yield* socket.receive(answers(1))
      assert.deepStrictEqual(
        (yield* server.stored).map(({ ip_address }) => ip_address),
        ["10.1.1.1"]
      )
    })
  )
})
