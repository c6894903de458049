import type { Server } from "node:http"
import type { Socket } from "node:net"

const maxInterval = 1_000

/** Bytes a second of an answer that a client must read. */
export const slowestRate = 8 * 1024

export interface CutOptions {
  /** Milliseconds after which a connection is cut on which no byte moves. */
  readonly silentAtMost: number
  /** Milliseconds after which a client is cut that reads an answer slower than `slowestRate`, on average over this time. */
  readonly slowAtMost: number
  /** Called when a slow client is cut. */
  readonly onSlow: (socket: Socket) => void
}

interface Moved {
  readonly bytes: number
  readonly since: number
}

const handleCount = (socket: Socket, name: "bytesWritten" | "writeQueueSize"): number => {
  const handle: unknown = Reflect.get(socket, "_handle")
  const count: unknown = typeof handle === "object" && handle !== null ? Reflect.get(handle, name) : 0
  return typeof count === "number" ? count : 0
}

// Node counts a write as sent when all of it is; how much of it the system has not taken yet is known to the handle alone.
const unsent = (socket: Socket): number => handleCount(socket, "writeQueueSize")
const sent = (socket: Socket): number => handleCount(socket, "bytesWritten") - unsent(socket)

class Watched {
  readonly #socket: Socket
  #moved: Moved
  /** What had been sent when the client was first behind, or when it was last measured. */
  #behind: Moved | undefined

  constructor(socket: Socket) {
    this.#socket = socket
    this.#moved = { bytes: Number.NaN, since: performance.now() }
  }

  isSilent(now: number, atMost: number): boolean {
    const bytes = this.#socket.bytesRead + sent(this.#socket)
    if (bytes !== this.#moved.bytes) this.#moved = { bytes, since: now }
    return now - this.#moved.since > atMost
  }

  isSlow(now: number, atMost: number): boolean {
    const current = { bytes: sent(this.#socket), since: now }
    if (unsent(this.#socket) === 0) this.#behind = undefined
    else this.#behind ??= current
    const { bytes, since } = this.#behind ?? current
    if (now - since < atMost) return false
    this.#behind = current
    return current.bytes - bytes < (slowestRate * (now - since)) / 1_000
  }
}

/**
 * Cuts connections on which nothing moves, and those whose client reads an answer too slowly: an answer holds memory, and an export
 * a connection to the database. Node's own `server.timeout` waits twice as long for a client that stops reading within an answer: a
 * part of a write that was sent at once counts as progress when the first period ends.
 */
export const cutStill = (server: Server, { onSlow, silentAtMost, slowAtMost }: CutOptions): void => {
  const sockets = new Map<Socket, Watched>()
  const sweep = () => {
    const now = performance.now()
    for (const [socket, watched] of sockets) {
      if (watched.isSilent(now, silentAtMost)) socket.destroy()
      else if (watched.isSlow(now, slowAtMost)) {
        onSlow(socket)
        socket.destroy()
      }
    }
  }
  const sweeping = setInterval(sweep, Math.min(maxInterval, silentAtMost / 4, slowAtMost / 4)).unref()
  server.on("close", () => clearInterval(sweeping))
  server.on("connection", (socket: Socket) => {
    sockets.set(socket, new Watched(socket))
    socket.on("close", () => sockets.delete(socket))
  })
}
