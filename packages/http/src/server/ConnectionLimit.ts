import type { Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { Effect, Metric } from "effect"
import { limitedWarning } from "./limitedWarning.ts"

const refused = Metric.counter("clicks_http_connections_refused_total", {
  description: "Connections closed at CLICKS_MAX_CONNECTIONS before they sent a whole request",
  incremental: true
})

// Clients send their first request as soon as they are connected. A connection that has sent none for this long may be closed first.
const graceMillis = 1_000

// The same limit as for bodies while other requests wait (`BodyBudget`).
const patienceMillis = 2_000

interface Connection {
  readonly openedAt: number
  /** Whether it has sent a whole request, as far as is known. */
  isProven: boolean
  /** The response to its latest request, whose headers at least have arrived. */
  response: ServerResponse | undefined
}

const isProven = ({ isProven, response }: Connection): boolean => isProven || response?.req.complete === true

const isInHand = (response: ServerResponse | undefined): boolean =>
  response?.req.complete === true && !response.writableFinished

/**
 * Limits the open connections of a server. At the limit, it closes one connection for each new one: the oldest that has been open for a
 * second without sending a whole request, or else the oldest for which no response is in progress. Such a connection is idle, or withholds
 * a part of its next request. While the server is full, a request must arrive within 2 seconds; otherwise, the response is 408.
 */
export class ConnectionLimit {
  readonly #most: number
  readonly #onRefused: () => void
  /** Oldest first. */
  readonly #open = new Map<Socket, Connection>()

  constructor(most: number, onRefused: () => void) {
    this.#most = most
    this.#onRefused = onRefused
  }

  /** Reports that a whole request has arrived that bypasses the server's "request" event. */
  readonly prove = (socket: Socket): void => {
    const connection = this.#open.get(socket)
    if (connection !== undefined) connection.isProven = true
  }

  /** Limits the connections that the server accepts from now on. `isAnswering` reports requests that bypass the server. */
  watch(server: Server, isAnswering: (socket: Socket) => boolean): void {
    const { headersTimeout, requestTimeout } = server
    // Node reads both once a second, when it looks for late requests.
    const adjustPatience = () => {
      const most = this.#open.size < this.#most ? Number.POSITIVE_INFINITY : patienceMillis
      server.headersTimeout = Math.min(headersTimeout, most)
      server.requestTimeout = Math.min(requestTimeout, most)
    }
    server.prependListener("connection", (socket: Socket) => {
      this.#open.set(socket, { openedAt: performance.now(), isProven: false, response: undefined })
      socket.on("close", () => {
        this.#open.delete(socket)
        adjustPatience()
      })
      if (this.#open.size > this.#most) this.#makeRoom(isAnswering)
      adjustPatience()
    })
    server.prependListener("request", ({ socket }, response) => {
      const connection = this.#open.get(socket)
      if (connection === undefined) return
      // A second request begins only after the first is complete.
      if (connection.response !== undefined) connection.isProven = true
      connection.response = response
    })
  }

  #makeRoom(isAnswering: (socket: Socket) => boolean): void {
    const latest = performance.now() - graceMillis
    const idle = [...this.#open].filter(
      ([socket, { response }]) => !(isInHand(response) || isAnswering(socket))
    )
    const late = idle.find(([_, connection]) => connection.openedAt < latest && !isProven(connection))
    const [socket, connection] = late ?? idle[0] ?? []
    if (socket === undefined || connection === undefined) return
    this.#open.delete(socket)
    socket.destroy()
    if (!isProven(connection)) this.#onRefused()
  }
}

/** A limit that counts the connections it closes, and logs at most one line a minute about them. */
export const make = (most: number) =>
  Effect.map(Effect.context(), (context) => {
    const warn = limitedWarning()
    const line = `Closed a connection without a whole request: the limit of ${most} open connections (CLICKS_MAX_CONNECTIONS) is reached`
    const report = Effect.andThen(Metric.update(refused, 1), warn(line))
    return new ConnectionLimit(most, () => Effect.runForkWith(context)(report))
  })
