import { createServer, type Server } from "node:http"
import type { Socket } from "node:net"
import { Duration, Effect } from "effect"
import { maxHeaderSize, refuseMalformed } from "./refusals.ts"
import { disconnectSlowReaders } from "./slowReaders.ts"

/**
 * Milliseconds for which an idle connection is kept open. Load balancers keep theirs for a minute, and the server must not close them
 * first.
 */
const keepAlive = 75_000

const millis = (duration: Duration.Input) => Duration.toMillis(Duration.fromInputUnsafe(duration))

export interface NodeServerOptions {
  /** How long a client may take to send its headers. */
  readonly headersWithin: Duration.Input
  /** How long a client may take to send its whole request. */
  readonly requestWithin: Duration.Input
  /** How long a connection with a request in progress may be inactive before it is closed. */
  readonly silentAtMost: Duration.Input
  /** How long a client may read a response at less than 8 KiB/s, on average, before it is disconnected. */
  readonly slowAtMost: Duration.Input
}

/** Creates a server that limits how long clients can make it wait. */
export const create = (options: NodeServerOptions, onSlow: (socket: Socket) => void): Server => {
  const server = createServer({
    maxHeaderSize,
    headersTimeout: millis(options.headersWithin),
    requestTimeout: millis(options.requestWithin),
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: keepAlive,
    keepAlive: true,
    noDelay: true,
    // `withRefusals` rejects requests without it: Node's own response would have no body.
    requireHostHeader: false,
    // Clients that offer HTTP/2 (`Upgrade: h2c`) get a response in HTTP/1.1, which they understand.
    shouldUpgradeCallback: () => false
  })
  // The socket keeps the address once it has been read. A page that is closed right after sending a click disconnects before its click is
  // processed.
  server.on("connection", (socket: Socket) => void socket.remoteAddress)
  refuseMalformed(server)
  server.timeout = millis(options.silentAtMost)
  disconnectSlowReaders(server, millis(options.slowAtMost), onSlow)
  return server
}

// How often idle connections are closed while the server stops.
const sweep = "20 millis"

/** Connections that Node's server does not track. */
export interface MoreConnections {
  readonly closeIdle: () => void
  readonly closeAll: () => void
}

/** Stops accepting, waits for the requests in progress, and closes the remaining connections after the time allowed. */
export const stop = (server: Server, more: MoreConnections, within: Duration.Input) => {
  const closed = Effect.callback<void>((resume) => {
    server.close(() => resume(Effect.void))
  })
  const sweeping = Effect.sync(() => {
    server.closeIdleConnections()
    more.closeIdle()
  }).pipe(Effect.andThen(Effect.sleep(sweep)), Effect.forever)
  return Effect.raceFirst(closed, sweeping).pipe(
    Effect.timeoutOption(within),
    Effect.andThen(
      Effect.sync(() => {
        server.closeAllConnections()
        more.closeAll()
      })
    )
  )
}
