import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { assert, describe, it, vi } from "@effect/vitest"
import { afterEach } from "vitest"
import { cutStill } from "../src/cutStill.ts"

const atMost = 120_000

afterEach(() => {
  vi.useRealTimers()
})

/** A server with one connection whose client has sent a request and reads nothing. */
const unreadAnswer = async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] })
  const server = createServer()
  cutStill(server, atMost)
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
  return { client, end, response }
}

/** Writes more than the buffers of both sides hold, and waits until they are full. */
const fillBuffers = async ({ socket }: ServerResponse, write: () => void) => {
  write()
  const unsent = () => Reflect.get(Reflect.get(socket ?? {}, "_handle") ?? {}, "writeQueueSize")
  for (let last = -1, same = 0; same < 100; same = unsent() === last ? same + 1 : 0) {
    last = unsent()
    await new Promise(setImmediate)
  }
  // The sweep after it notes how much was sent.
  vi.advanceTimersByTime(1_000)
}

describe("a connection on which nothing moves", () => {
  it("is cut after the limit, once, also when a part of the answer was sent", async () => {
    const { end, response } = await unreadAnswer()
    const { socket } = response
    await fillBuffers(response, () => response.end(Buffer.alloc(30_000_000)))
    vi.advanceTimersByTime(atMost - 1_000)
    assert.isFalse(socket?.destroyed)
    vi.advanceTimersByTime(3_000)
    assert.isTrue(socket?.destroyed)
    await end()
  })

  it("is kept while its client reads, however slowly", async () => {
    const { client, end, response } = await unreadAnswer()
    const { socket } = response
    await fillBuffers(response, () => response.end(Buffer.alloc(30_000_000)))
    for (let round = 0; round < 3; round++) {
      const before = Reflect.get(Reflect.get(socket ?? {}, "_handle"), "writeQueueSize")
      client.resume()
      while (Reflect.get(Reflect.get(socket ?? {}, "_handle"), "writeQueueSize") === before) {
        await new Promise(setImmediate)
      }
      client.pause()
      vi.advanceTimersByTime(atMost - 1_000)
      assert.isFalse(socket?.destroyed)
    }
    await end()
  })
})
