import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { ClickStore, streamedPage } from "@clicks/core/clicks/ClickStore"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { rawSocket, requestText } from "../rawSocket.ts"
import { adminKey, click, many, one, posting, type TestServer, testServer } from "../TestServer.ts"

const MiB = 1024 * 1024

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** Waits until the server reads no more of what these sockets send. */
const untilNothingMoves = (server: TestServer, unsent: () => number) =>
  Effect.gen(function* () {
    for (let last = Number.NaN, same = 0; same < 5; same = unsent() === last ? same + 1 : 0) {
      last = unsent()
      for (let round = 0; round < 20; round++) yield* server.ask("/livez")
    }
  })

describe("clients that withhold the last byte of large bodies", () => {
  it.live("take no more memory than the budget and do not block other clients", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { maxBodyBytes: 4 * MiB } })
      const clients = 60
      const withheld = Buffer.from(
        `POST ${many} HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\nContent-Length: ${MiB}\r\n\r\n${" ".repeat(MiB - 1)}`
      )
      const before = process.memoryUsage().arrayBuffers
      const sockets = yield* Effect.forEach(Array.from({ length: clients }), () => rawSocket(server.port))
      for (const { write } of sockets) write(withheld)
      yield* untilNothingMoves(server, () =>
        sockets.reduce((sum, { socket }) => sum + socket.writableLength, 0)
      )
      // For those that wait, the buffers of a socket and a request.
      const limit = before + 4 * MiB + clients * 256 * 1024
      const held = Effect.sync(() => {
        collectGarbage()
        return process.memoryUsage().arrayBuffers
      })
      yield* held.pipe(Effect.delay("50 millis"), Effect.repeat({ until: (bytes) => bytes < limit }))
      // Eight are kept open: the four that have room keep it for two seconds, then the other four get it.
      for (const socket of sockets.slice(8)) socket.leave(true)
      const answer = yield* server.ask(many, posting([click, click]))
      assert.strictEqual((answer.json as { stored: number }).stored, 2)
      // Some were closed to make room.
      assert.match(yield* (sockets[0] ?? assert.fail()).closed, /^HTTP\/1.1 408 /)
    })
  )

  it.live("release their memory when they disconnect", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { maxBodyBytes: MiB } })
      for (let round = 0; round < 3; round++) {
        for (const abruptly of [true, false]) {
          const socket = yield* rawSocket(server.port)
          socket.write(requestText(many, JSON.stringify([click]).padEnd(MiB)).slice(0, -1))
          yield* server.ask("/livez")
          socket.leave(abruptly)
          yield* socket.closed
        }
        const answer = yield* server.ask(many, posting([click]))
        assert.strictEqual(answer.status, 200)
      }
      assert.lengthOf(yield* server.stored, 3)
    })
  )
})

describe("a connection beyond the limit", () => {
  const live = "GET /livez HTTP/1.1\r\nHost: t\r\n\r\n"
  const page = { events: [], total: 0, limit: 100, offset: 0, next_cursor: null }
  // A test that waits for these limits times out.
  const patient = { headersWithin: "10 minutes", requestWithin: "10 minutes" } as const

  it.live("replaces the oldest idle one", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { maxConnections: 2 } })
      const plain = yield* rawSocket(server.port)
      plain.write(requestText(one, JSON.stringify(click)))
      yield* plain.receive(/"ok"}$/)
      const other = yield* rawSocket(server.port)
      other.write(live)
      yield* other.receive(/"ok"}$/)
      for (const idle of [plain, other]) {
        const next = yield* rawSocket(server.port)
        yield* idle.closed
        next.write(live)
        assert.match(yield* next.receive(/"ok"}$/), /^HTTP\/1.1 200 /)
      }
    })
  )

  it.live("replaces one that was answered once and withholds the rest of a request", () =>
    Effect.gen(function* () {
      const plain = requestText(one, JSON.stringify(click))
      const routed = requestText(many, JSON.stringify([click]))
      for (const text of [plain, live, routed]) {
        const server = yield* testServer({ options: { maxConnections: 3, ...patient } })
        for (let n = 0; n < 3; n++) {
          const withheld = yield* rawSocket(server.port)
          withheld.write(text)
          yield* withheld.receive(/}$/)
          withheld.write(text.slice(0, -1))
        }
        for (let n = 0; n < 10; n++) {
          const next = yield* rawSocket(server.port)
          next.write(live)
          assert.match(yield* next.receive(/"ok"}$/), /^HTTP\/1.1 200 /)
        }
      }
    })
  )

  it.live("replaces the oldest one that has not sent a whole request", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { maxConnections: 3, ...patient } })
      const held = []
      for (const text of ["", live.slice(0, -2), requestText(one, JSON.stringify(click)).slice(0, -1)]) {
        const socket = yield* rawSocket(server.port)
        if (text !== "") socket.write(text)
        held.push(socket)
      }
      for (let n = 0; n < 10; n++) {
        const next = yield* rawSocket(server.port)
        next.write(live)
        assert.match(yield* next.receive(/"ok"}$/), /^HTTP\/1.1 200 /)
      }
      assert.strictEqual(yield* held[0]?.closed ?? Effect.succeed("none"), "")
    })
  )

  it.live("is closed, counted and logged once while all others are busy", () =>
    Effect.gen(function* () {
      const [asked, answer] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const listing = Effect.andThen(
        Deferred.succeed(asked, undefined),
        Effect.as(Deferred.await(answer), streamedPage(page))
      )
      const store = Layer.mock(ClickStore, { streamPage: () => listing })
      const server = yield* testServer({ store, options: { maxConnections: 1, publicMetrics: true } })
      const busy = yield* rawSocket(server.port)
      busy.write(`GET ${many} HTTP/1.1\r\nHost: t\r\nX-API-Key: ${adminKey}\r\n\r\n`)
      yield* Deferred.await(asked)
      for (let n = 0; n < 3; n++) {
        const refused = yield* rawSocket(server.port)
        assert.strictEqual(yield* refused.closed, "")
      }
      yield* Deferred.succeed(answer, undefined)
      yield* busy.receive(/"total":0/)
      busy.write("GET /metrics HTTP/1.1\r\nHost: t\r\n\r\n")
      yield* busy.receive(/clicks_http_connections_refused_total [3-9]/)
      assert.lengthOf(
        server.log.filter((line) => line.includes("CLICKS_MAX_CONNECTIONS")),
        1
      )
    })
  )

  it.live("makes incomplete requests end with 408 after two seconds", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { maxConnections: 2, ...patient } })
      const text = requestText(one, JSON.stringify(click))
      for (const beginning of [text.slice(0, -1), live.slice(0, -2)]) {
        const withheld = yield* rawSocket(server.port)
        withheld.write(text)
        yield* withheld.receive(/"ok"}$/)
        withheld.write(beginning)
        const other = yield* rawSocket(server.port)
        assert.match(yield* withheld.closed, /HTTP\/1.1 408 Request Timeout/)
        other.leave()
        yield* other.closed
      }
    })
  )
})
