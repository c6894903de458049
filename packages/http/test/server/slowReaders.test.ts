import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { assert, describe, it, vi } from "@effect/vitest"
import { afterEach } from "vitest"
import { disconnectSlowReaders, slowestRate } from "../../src/server/slowReaders.ts"

const slowAtMost = 30_000

afterEach(() => {
  vi.useRealTimers()
})

/** A server with one connection, whose client has sent a request and does not read. */
const unreadAnswer = async (slowAtMost: number) => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
  const server = createServer()
  const slow: Array<Socket> = []
  const onSlow = (socket: Socket) => slow.push(socket)
  disconnectSlowReaders(server, slowAtMost, onSlow)
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1").pause()
  client.on("error", () => {})
  client.write("GET / HTTP/1.1\r\nHost: t\r\n\r\n")
  const [, response] = (await once(server, "request")) as [unknown, ServerResponse]
  const end = async () => {
    client.destroy()
    server.closeAllConnections()
    server.close()
    await once(server, "close")
  }
  return { client, end, response, slow }
}

/** Writes more than the buffers of both sides can hold, and waits until they are full. */
const fillBuffers = async ({ socket }: ServerResponse, write: () => void) => {
  write()
  const unsent = () => Reflect.get(Reflect.get(socket ?? {}, "_handle") ?? {}, "writeQueueSize")
  for (let last = -1, same = 0; same < 100; same = unsent() === last ? same + 1 : 0) {
    last = unsent()
    await new Promise(setImmediate)
  }
  // The next sweep records how much was sent.
  vi.advanceTimersByTime(1_000)
}

const queued = ({ socket }: ServerResponse): number =>
  Reflect.get(Reflect.get(socket ?? {}, "_handle") ?? {}, "writeQueueSize")

describe("a client that reads a response slowly", () => {
  /** Lets the client read until at least this many more bytes have been sent. */
  const read = async (client: Socket, response: ServerResponse, bytes: number) => {
    const before = queued(response)
    client.resume()
    while (before - queued(response) < bytes) await new Promise(setImmediate)
    client.pause()
  }

  it("is disconnected and logged once even if it keeps reading a little", async () => {
    // The system buffers up to some megabytes at once, so the time is long and the response large.
    const twoHours = 7_200_000
    const { client, end, response, slow } = await unreadAnswer(twoHours)
    const { socket } = response
    const isCut = (): boolean => socket?.destroyed === true
    await fillBuffers(response, () => response.end(Buffer.alloc(100_000_000)))
    for (let round = 0; round < 5 && !isCut(); round++) {
      await read(client, response, 1)
      vi.advanceTimersByTime(twoHours / 4)
    }
    assert.isTrue(isCut())
    assert.deepStrictEqual(slow, [socket])
    await end()
  })

  it("is kept while it reads faster than the slowest rate", async () => {
    const { client, end, response, slow } = await unreadAnswer(slowAtMost)
    await fillBuffers(response, () => response.end(Buffer.alloc(30_000_000)))
    for (let round = 0; round < 5; round++) {
      await read(client, response, (slowestRate * slowAtMost) / 1_000)
      vi.advanceTimersByTime(slowAtMost - 2_000)
      assert.isFalse(response.socket?.destroyed)
    }
    assert.deepStrictEqual(slow, [])
    await end()
  })
})
