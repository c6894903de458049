import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rawSocket, requestText } from "../rawSocket.ts"
import { click, many, one, posting, type TestServer, testServer } from "../TestServer.ts"

const MiB = 1024 * 1024

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** Waits until the server reads nothing more of what these sockets send. */
const untilNothingMoves = (server: TestServer, unsent: () => number) =>
  Effect.gen(function* () {
    for (let last = Number.NaN, same = 0; same < 5; same = unsent() === last ? same + 1 : 0) {
      last = unsent()
      for (let round = 0; round < 20; round++) yield* server.ask("/livez")
    }
  })

describe("clients that withhold the last byte of large bodies", () => {
  it.live("take no more memory than the budget, and keep nobody else out", () =>
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
      collectGarbage()
      const held = process.memoryUsage().arrayBuffers - before
      // Of those that wait, what is in the buffers of a socket and a request.
      assert.isBelow(held, 4 * MiB + clients * 256 * 1024)
      const answer = yield* server.ask(many, posting([click, click]))
      assert.strictEqual((answer.json as { stored: number }).stored, 2)
      // Some had to make room.
      assert.match(yield* (sockets[0] ?? assert.fail()).closed, /^HTTP\/1.1 408 /)
    })
  )

  it.live("leave their room to others when they go", () =>
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

describe("more connections than the server takes", () => {
  const live = "GET /livez HTTP/1.1\r\nHost: t\r\n\r\n"

  it.live("are closed, and idle ones with them, so that the next attempt succeeds", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { maxConnections: 2 } })
      const plain = yield* rawSocket(server.port)
      plain.write(requestText(one, JSON.stringify(click)))
      yield* plain.receive(/"ok"}$/)
      const other = yield* rawSocket(server.port)
      other.write(live)
      yield* other.receive(/"ok"}$/)
      const refused = yield* rawSocket(server.port)
      assert.strictEqual(yield* refused.closed, "")
      yield* plain.closed
      yield* other.closed
      const next = yield* rawSocket(server.port)
      next.write(live)
      assert.match(yield* next.receive(/"ok"}$/), /^HTTP\/1.1 200 /)
    })
  )

  it.live("do not disturb requests in hand", () =>
    Effect.gen(function* () {
      const server = yield* testServer({ options: { maxConnections: 2 } })
      const text = requestText(one, JSON.stringify(click))
      const busy = yield* rawSocket(server.port)
      busy.write(text)
      yield* busy.receive(/"ok"}$/)
      busy.write(text.slice(0, -1))
      // A round trip on another connection: what was written has been read by then.
      const other = yield* rawSocket(server.port)
      other.write(live)
      yield* other.receive(/"ok"}$/)
      const refused = yield* rawSocket(server.port)
      assert.strictEqual(yield* refused.closed, "")
      busy.write(text.slice(-1))
      assert.match(yield* busy.receive(/"ok"}.*"ok"}$/s), /200 OK.*200 OK/s)
      assert.lengthOf(yield* server.stored, 2)
    })
  )
})
