import type { IncomingMessage, Server } from "node:http"
import type { Socket } from "node:net"
import { Effect, Metric } from "effect"
import { limitedWarning } from "./limitedWarning.ts"

const refused = Metric.counter("clicks_http_connections_refused_total", {
  description: "Connections closed at CLICKS_MAX_CONNECTIONS before they sent a whole request",
  incremental: true
})

// Clients send their first request as soon as they are connected. Idle connections are closed before younger ones.
const graceMillis = 1_000

// As for bodies while others wait (`BodyBudget`).
const patienceMillis = 2_000

interface First {
  readonly since: number
  request: IncomingMessage | undefined
}

/**
 * Bounds the open connections of a server. Beyond the limit it closes the oldest that has not sent a whole request for a second;
 * else all that are idle between requests; else the oldest without a whole request, which may be the new one. While the
 * server is full, a request must arrive within 2 seconds; a later one is answered with 408.
 */
export class ConnectionLimit {
  readonly #most: number
  readonly #onRefused: () => void
  readonly #open = new Set<Socket>()
  /** Those that are not known to have sent a whole request, oldest first. */
  readonly #unproven = new Map<Socket, First>()

  constructor(most: number, onRefused: () => void) {
    this.#most = most
    this.#onRefused = onRefused
  }

  /** A whole request has arrived, other than through the server's "request" event. */
  readonly prove = (socket: Socket): void => {
    this.#unproven.delete(socket)
  }

  /** Bounds the connections that the server gets from now on. `closeIdle` closes those that were answered and have no request now. */
  watch(server: Server, closeIdle: () => void): void {
    const { headersTimeout, requestTimeout } = server
    // Node reads both whenever it looks for late requests, once a second.
    const adjustPatience = () => {
      const most = this.#open.size < this.#most ? Number.POSITIVE_INFINITY : patienceMillis
      server.headersTimeout = Math.min(headersTimeout, most)
      server.requestTimeout = Math.min(requestTimeout, most)
    }
    server.prependListener("connection", (socket: Socket) => {
      this.#open.add(socket)
      this.#unproven.set(socket, { since: performance.now(), request: undefined })
      socket.on("close", () => {
        this.#forget(socket)
        adjustPatience()
      })
      if (this.#open.size > this.#most) this.#makeRoom(closeIdle)
      adjustPatience()
    })
    server.prependListener("request", (request: IncomingMessage) => {
      const first = this.#unproven.get(request.socket)
      if (first?.request !== undefined) this.#unproven.delete(request.socket)
      else if (first !== undefined) first.request = request
    })
  }

  #makeRoom(closeIdle: () => void): void {
    const oldest = this.#oldestUnproven()
    if (oldest !== undefined && performance.now() - oldest.since > graceMillis) {
      this.#refuse(oldest.socket)
      return
    }
    closeIdle()
    for (const socket of this.#open) if (socket.destroyed) this.#forget(socket)
    if (this.#open.size > this.#most && oldest !== undefined) this.#refuse(oldest.socket)
  }

  #oldestUnproven(): { readonly socket: Socket; readonly since: number } | undefined {
    for (const [socket, { request, since }] of this.#unproven) {
      if (!request?.complete) return { socket, since }
      this.#unproven.delete(socket)
    }
    return undefined
  }

  #refuse(socket: Socket): void {
    this.#forget(socket)
    socket.destroy()
    this.#onRefused()
  }

  #forget(socket: Socket): void {
    this.#open.delete(socket)
    this.#unproven.delete(socket)
  }
}

/** A limit that counts the connections it refuses, and logs at most one line a minute about them. */
export const make = (most: number) =>
  Effect.map(Effect.context(), (context) => {
    const warn = limitedWarning()
    const line = `Closed a connection without a whole request: the limit of ${most} open connections (CLICKS_MAX_CONNECTIONS) is reached`
    const report = Effect.andThen(Metric.update(refused, 1), warn(line))
    return new ConnectionLimit(most, () => Effect.runForkWith(context)(report))
  })
