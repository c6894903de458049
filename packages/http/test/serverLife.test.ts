import { ClickStore, streamedPage } from "@clicks/core/clicks/ClickStore"
import * as ClickRecorder from "@clicks/core/clicks/recording/ClickRecorder"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Result, Scope } from "effect"
import { rawSocket, requestText } from "./rawSocket.ts"
import { adminKey, click, many, one, posting, testServer } from "./TestServer.ts"

const listRequest = `GET ${many} HTTP/1.1\r\nHost: t\r\nX-API-Key: ${adminKey}\r\n\r\n`
const page = { events: [], total: 0, limit: 100, offset: 0, next_cursor: null }

/** A store whose listing waits until the test lets it continue. */
const slowStore = Effect.gen(function* () {
  const asked = yield* Deferred.make<void>()
  const answer = yield* Deferred.make<void>()
  const store = Layer.mock(ClickStore, {
    streamPage: () =>
      Deferred.succeed(asked, undefined).pipe(
        Effect.andThen(Deferred.await(answer)),
        Effect.as(streamedPage(page))
      )
  })
  return { asked, answer, store }
})

const refusesConnections = (port: number) =>
  rawSocket(port).pipe(
    Effect.flatMap((socket) => {
      socket.write("GET /livez HTTP/1.1\r\nHost: t\r\n\r\n")
      return socket.receive(/./)
    }),
    Effect.scoped,
    Effect.map((answer) => answer === "")
  )

describe("a server that stops", () => {
  it.live("stops accepting, finishes requests in progress and closes the connections", () =>
    Effect.gen(function* () {
      const { answer, asked, store } = yield* slowStore
      const scope = yield* Scope.make()
      const server = yield* testServer({ store }).pipe(Scope.provide(scope))
      const idle = yield* rawSocket(server.port)
      idle.write("GET /livez HTTP/1.1\r\nHost: t\r\n\r\n")
      yield* idle.receive(/ok"}$/)
      const busy = yield* rawSocket(server.port)
      busy.write(listRequest)
      yield* Deferred.await(asked)

      const stopped = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      // The idle connection is closed immediately. By then, the port is closed too.
      yield* idle.closed
      assert.isTrue(yield* refusesConnections(server.port))
      yield* Deferred.succeed(answer, undefined)
      assert.match(yield* busy.closed, /^HTTP\/1.1 200 OK.*"total":0/s)
      yield* Fiber.join(stopped)
    })
  )

  it.live("waits for requests no longer than stopWithin", () =>
    Effect.gen(function* () {
      const { asked, store } = yield* slowStore
      const scope = yield* Scope.make()
      const server = yield* testServer({ store, options: { stopWithin: "300 millis" } }).pipe(
        Scope.provide(scope)
      )
      const busy = yield* rawSocket(server.port)
      busy.write(listRequest)
      const uploading = yield* rawSocket(server.port)
      uploading.write(`POST ${one} HTTP/1.1\r\nHost: t\r\nContent-Length: 50\r\n\r\n{`)
      yield* Deferred.await(asked)
      const begun = Date.now()
      yield* Scope.close(scope, Exit.void)
      // Without the option, it would take ten seconds.
      assert.isBelow(Date.now() - begun, 9_000)
      yield* busy.closed
      yield* uploading.closed
    })
  )

  it.live("stores the clicks it has received", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      let answer = () => {}
      const recorder = Layer.mock(ClickRecorder.ClickRecorder, {
        offer: (_, onResult) => {
          answer = () =>
            onResult(Result.succeed({ id: "019aa0d2-5c00-7000-8000-5f2b0c9d1e3a", outcome: "stored" }))
          Deferred.doneUnsafe(asked, Effect.void)
        }
      })
      const scope = yield* Scope.make()
      const server = yield* testServer({ recorder }).pipe(Scope.provide(scope))
      const socket = yield* rawSocket(server.port)
      socket.write(requestText(one, JSON.stringify(click)))
      yield* Deferred.await(asked)
      const stopped = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      answer()
      assert.match(yield* socket.closed, /"ok"}$/)
      yield* Fiber.join(stopped)
    })
  )
})

describe("a server that cannot listen", () => {
  it.live("reports that the port is in use, and what to do", () =>
    Effect.gen(function* () {
      const first = yield* testServer()
      const error = yield* Effect.flip(testServer({ options: { port: first.port } }))
      assert.strictEqual(error._tag, "HttpListenError")
      assert.strictEqual(error.code, "EADDRINUSE")
      assert.strictEqual(
        error.message,
        `Cannot listen on 127.0.0.1:${first.port}: the port is in use. Stop the other process or set PORT; clicks serve --share-port shares a port`
      )
    })
  )

  it.live("reports an address that this machine does not have, and an unknown host name", () =>
    Effect.gen(function* () {
      const foreign = yield* Effect.flip(testServer({ options: { host: "198.51.100.1" } }))
      assert.match(
        foreign.message,
        /198\.51\.100\.1:0: this machine does not have that address. Set HOST to another one$/
      )
      const nobody = yield* Effect.flip(testServer({ options: { host: "nobody.invalid" } }))
      assert.match(nobody.message, /^Cannot listen on nobody\.invalid:0/)
    })
  )
})

describe("a client that is slow", () => {
  it.live("gets 408 if its headers or its body do not arrive in time", () =>
    Effect.gen(function* () {
      const server = yield* testServer({
        options: { headersWithin: "2 seconds", requestWithin: "3 seconds" }
      })
      const head = yield* rawSocket(server.port)
      head.write("GET /livez HTTP/1.1\r\nHost: ")
      const body = yield* rawSocket(server.port)
      body.write(`POST ${one} HTTP/1.1\r\nHost: t\r\nContent-Length: 50\r\n\r\n{"product`)
      for (const socket of [head, body]) {
        const answer = yield* socket.closed
        assert.match(answer, /^HTTP\/1.1 408 Request Timeout\r\n/)
        assert.match(answer, /\{"error":"The request did not arrive in time"\}$/)
      }
      assert.strictEqual((yield* server.ask(one, posting(click))).status, 200)
    })
  )

  it.live("is disconnected if no bytes are transferred", () =>
    Effect.gen(function* () {
      const { asked, store } = yield* slowStore
      const server = yield* testServer({ store, options: { silentAtMost: "300 millis" } })
      const socket = yield* rawSocket(server.port)
      socket.write(listRequest)
      yield* Deferred.await(asked)
      assert.strictEqual(yield* socket.closed, "")
    })
  )
})
