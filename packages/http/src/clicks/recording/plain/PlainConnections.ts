import type { Server } from "node:http"
import type { Socket } from "node:net"
import { PlainConnection, type PlainServer } from "./PlainConnection.ts"

/** The connections of a server whose clients send plain clicks only. */
export class PlainConnections {
  readonly #open = new Map<Socket, PlainConnection>()
  #isStopping = false

  /** Takes the connections of the server in the place of its HTTP, and leaves to that those that send something else. */
  takeFirst(
    server: Server,
    given: Omit<PlainServer, "isStopping" | "kept" | "leave" | "refuse" | "silentAtMost">
  ): void {
    // Node's own was there first; others only look on.
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

  /** Whether a request has arrived on the connection, and not its answer. */
  readonly isAnswering = (socket: Socket): boolean => this.#open.get(socket)?.isAnswering === true

  /** Closes those without a request. From now on responses end their connections. */
  closeIdle(): void {
    this.#isStopping = true
    for (const connection of this.#open.values()) connection.closeIdle()
  }

  closeAll(): void {
    for (const connection of this.#open.values()) connection.close()
  }
}
