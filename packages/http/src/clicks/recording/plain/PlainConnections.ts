import type { Server } from "node:http"
import type { Socket } from "node:net"
import { PlainConnection, type PlainServer } from "./PlainConnection.ts"

/** The connections of a server that have sent only plain clicks so far. */
export class PlainConnections {
  readonly #open = new Map<Socket, PlainConnection>()
  #isStopping = false

  /** Handles new connections in place of the server's own HTTP, and hands those that send anything else over to it. */
  takeFirst(
    server: Server,
    given: Omit<PlainServer, "isStopping" | "kept" | "leave" | "refuse" | "silentAtMost">
  ): void {
    // Node's own listener is the first one; listeners added later only observe.
    const [nodeHttp] = server.listeners("connection")
    if (nodeHttp === undefined) return
    const plain: PlainServer = {
      ...given,
      kept: `Connection: keep-alive\r\nKeep-Alive: timeout=${server.keepAliveTimeout / 1_000}`,
      silentAtMost: Math.min(server.keepAliveTimeout, server.timeout),
      isStopping: () => this.#isStopping,
      leave: (socket) => nodeHttp.call(server, socket),
      refuse: (socket) => void server.emit("clientError", new Error("The request is incomplete"), socket)
    }
    const take = (socket: Socket) => {
      this.#open.set(socket, new PlainConnection(socket, plain, () => this.#open.delete(socket)))
    }
    server.off("connection", nodeHttp as (socket: Socket) => void)
    server.on("connection", take)
  }

  /** Whether a request has arrived on the connection and its response has not been sent. */
  readonly isAnswering = (socket: Socket): boolean => this.#open.get(socket)?.isAnswering === true

  /** Closes connections without a request in progress. From now on, the others are closed after their response. */
  closeIdle(): void {
    this.#isStopping = true
    for (const connection of this.#open.values()) connection.closeIdle()
  }

  closeAll(): void {
    for (const connection of this.#open.values()) connection.close()
  }
}
