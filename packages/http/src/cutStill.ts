import type { Server } from "node:http"
import type { Socket } from "node:net"

const maxInterval = 1_000

// Node counts a write as sent when all of it is; how much of it the system has not taken yet is known to the handle alone.
const unsent = (socket: Socket): number => {
  const handle: unknown = Reflect.get(socket, "_handle")
  const size: unknown =
    typeof handle === "object" && handle !== null ? Reflect.get(handle, "writeQueueSize") : 0
  return typeof size === "number" ? size : 0
}

/** The bytes that have been read from and sent to a client, plus a constant while nothing is written. */
const movedOn = (socket: Socket): number => socket.bytesRead + socket.bytesWritten - unsent(socket)

/**
 * Cuts connections on which no byte has moved for so many milliseconds. Node's own `server.timeout` waits twice as long for a client
 * that stops reading within an answer: a part of a write that was sent at once counts as progress when the first period ends.
 */
export const cutStill = (server: Server, atMost: number): void => {
  const watched = new Map<Socket, { readonly moved: number; readonly since: number }>()
  const sweep = () => {
    const now = performance.now()
    for (const [socket, { moved, since }] of watched) {
      const movedNow = movedOn(socket)
      if (movedNow !== moved) watched.set(socket, { moved: movedNow, since: now })
      else if (now - since > atMost) socket.destroy()
    }
  }
  const sweeping = setInterval(sweep, Math.min(maxInterval, atMost / 4)).unref()
  server.on("close", () => clearInterval(sweeping))
  server.on("connection", (socket: Socket) => {
    watched.set(socket, { moved: movedOn(socket), since: performance.now() })
    socket.on("close", () => watched.delete(socket))
  })
}
