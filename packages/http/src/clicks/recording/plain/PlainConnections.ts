import type { Server } from "node:http"
import type { Socket } from "node:net"
import { PlainConnection, type PlainServer } from "./PlainConnection.ts"

/** The connections of a server that send plain clicks only. */
export class PlainConnections {
  readonly #open = new Map<Socket, Pick<PlainConnection<unknown>, "close" | "closeIdle" | "isAnswering">>()
  #isStopping = false

  /** Sees each connection of the server before all other listeners, and leaves to them those that send something else. */
  takeFirst<Sender>(
    server: Server,
    given: Omit<PlainServer<Sender>, "isStopping" | "kept" | "leave" | "refuse">
  ): void {
    const others = server.listeners("connection")
    const plain: PlainServer<Sender> = {
      ...given,
      kept: `Connection: keep-alive\r\nKeep-Alive: timeout=${given.keepAlive / 1000}`,
      isStopping: () => this.#isStopping,
      leave: (socket) => {
        for (const listener of others) listener.call(server, socket)
      },
      refuse: (socket) => server.emit("clientError", new Error("The request broke off"), socket)
    }
    server.removeAllListeners("connection")
    server.on("connection", (socket: Socket) => {
      const connection = new PlainConnection(socket, plain, () => this.#open.delete(socket))
      this.#open.set(socket, connection)
    })
  }

  /** Whether a whole request has arrived on the connection, and not its answer. */
  readonly isAnswering = (socket: Socket): boolean => this.#open.get(socket)?.isAnswering === true

  /** Closes those without a request. From now on answers end their connections. */
  closeIdle(): void {
    this.#isStopping = true
    for (const connection of this.#open.values()) connection.closeIdle()
  }

  closeAll(): void {
    for (const connection of this.#open.values()) connection.close()
  }
}
