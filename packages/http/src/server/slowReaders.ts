import type { Server } from "node:http"
import type { Socket } from "node:net"

const maxInterval = 1_000

/** The minimum rate at which a client must read a response, in bytes per second. */
export const slowestRate = 8 * 1024

interface Progress {
  readonly bytes: number
  readonly since: number
}

// Node counts a write only when all of it is sent. The handle knows how many bytes the system has not accepted yet.
const handleCount = (socket: Socket, name: "bytesWritten" | "writeQueueSize"): number => {
  const handle: unknown = Reflect.get(socket, "_handle")
  const count: unknown = typeof handle === "object" && handle !== null ? Reflect.get(handle, name) : 0
  return typeof count === "number" ? count : 0
}

const unsent = (socket: Socket): number => handleCount(socket, "writeQueueSize")

/**
 * Disconnects clients that read a response slower than `slowestRate`, on average over `slowAtMost` milliseconds: a response holds memory,
 * and an export holds a database connection. For Node's own timeouts, any progress is enough.
 */
export const disconnectSlowReaders = (
  server: Server,
  slowAtMost: number,
  onSlow: (socket: Socket) => void
): void => {
  /** What had been sent when the client first fell behind, or at the last measurement. */
  const behind = new Map<Socket, Progress | undefined>()
  const sweep = () => {
    const since = performance.now()
    for (const [socket, earlier] of behind) {
      const bytes = handleCount(socket, "bytesWritten") - unsent(socket)
      const millis = since - (earlier?.since ?? since)
      if (unsent(socket) === 0) behind.set(socket, undefined)
      else if (earlier === undefined) behind.set(socket, { bytes, since })
      else if (millis < slowAtMost) continue
      else if (bytes - earlier.bytes >= (slowestRate * millis) / 1_000) behind.set(socket, { bytes, since })
      else {
        onSlow(socket)
        socket.destroy()
      }
    }
  }
  const sweeping = setInterval(sweep, Math.min(maxInterval, slowAtMost / 4)).unref()
  server.on("close", () => clearInterval(sweeping))
  server.on("connection", (socket: Socket) => {
    behind.set(socket, undefined)
    socket.on("close", () => behind.delete(socket))
  })
}
