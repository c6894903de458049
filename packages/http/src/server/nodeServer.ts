import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { Duration, Effect } from "effect"
import { apiHeaders, errorResponse } from "../responses/apiResponse.ts"
import { rawResponse } from "../responses/rawResponse.ts"
import { disconnectSlowReaders, type SlowReaderOptions } from "./slowReaders.ts"

/** Bytes of a request's headers together; beyond, the answer is 431. */
export const maxHeaderSize = 16 * 1024

/**
 * Milliseconds that a connection without a request is kept. A load balancer keeps them for a minute; the one who closes first must not
 * be the server.
 */
const keepAlive = 75_000

const late = "ERR_HTTP_REQUEST_TIMEOUT"

const refusals: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, `The headers are over ${maxHeaderSize} bytes`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The chunk extensions are too long"],
  [late]: [408, "The request did not arrive in time"]
}

// An answer that has begun on this connection must not get a second one into its middle. Node keeps it here, and looks
// here itself when nobody listens to "clientError".
const hasBegun = (socket: Duplex): boolean => {
  const message: unknown = Reflect.get(socket, "_httpMessage")
  return typeof message === "object" && message !== null && Reflect.get(message, "headersSent") === true
}

/** Answers what is not HTTP at all as everything else is answered: `{error}`. */
const refuse = (error: Error & { readonly code?: string }, socket: Duplex): void => {
  if (!socket.writable || error.code === "ECONNRESET" || hasBegun(socket)) {
    socket.destroy()
    return
  }
  const [status, sentence] = refusals[error.code ?? ""] ?? [400, "The request is not HTTP"]
  socket.end(rawResponse(errorResponse(status, sentence), "Connection: close"), () => socket.destroy())
}

/** Answers a request that takes too long to arrive, and ends its connection. */
export const refuseLate = (socket: Duplex): void =>
  refuse(Object.assign(new Error("The request is late"), { code: late }), socket)

const refused = new WeakSet<Duplex>()

/** Notes that the request is refused with `Connection: close`: what the client has sent behind it must not be processed. */
export const refuseFollowing = ({ socket }: IncomingMessage): void => {
  refused.add(socket)
}

/** Whether the request came behind one that was refused with `Connection: close`. Its answer is never sent. */
export const isBehindRefused = ({ socket }: IncomingMessage): boolean => refused.has(socket)

/** Answers `Expect` with anything but 100-continue. The client may send its body or not, so nothing can follow on this connection. */
const refuseExpectation = (request: IncomingMessage, response: ServerResponse): void => {
  refuseFollowing(request)
  response.statusCode = 417
  response.setHeaders(new Headers({ ...apiHeaders, "content-type": "application/json", connection: "close" }))
  response.end(JSON.stringify({ error: "Unsupported Expect header. Only 100-continue is supported" }))
}

const millis = (duration: Duration.Input) => Duration.toMillis(Duration.fromInputUnsafe(duration))

export interface NodeServerOptions {
  /** How long a client may take to send its headers. */
  readonly headersWithin: Duration.Input
  /** How long a client may take to send its whole request. */
  readonly requestWithin: Duration.Input
  /** How long a connection with a request may be silent before it is closed. */
  readonly silentAtMost: Duration.Input
  /** How long a client may read an answer slower than 8 KiB/s, on average, before it is disconnected. */
  readonly slowAtMost: Duration.Input
}

/** Makes a server that bounds how long clients can make it wait. */
export const create = (options: NodeServerOptions, onSlow: SlowReaderOptions["onSlow"]): Server => {
  const server = createServer({
    maxHeaderSize,
    headersTimeout: millis(options.headersWithin),
    requestTimeout: millis(options.requestWithin),
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: keepAlive,
    keepAlive: true,
    noDelay: true,
    // `withHost` refuses requests without one: Node would do it without a body.
    requireHostHeader: false,
    // Clients that offer HTTP/2 (`Upgrade: h2c`) are answered in HTTP/1.1, which they understand.
    shouldUpgradeCallback: () => false
  })
  // The socket remembers it when it was asked: a page that sends a click and is closed at once is gone before its click is read.
  server.on("connection", (socket: Socket) => void socket.remoteAddress)
  server.on("clientError", refuse)
  server.on("checkExpectation", refuseExpectation)
  server.timeout = millis(options.silentAtMost)
  disconnectSlowReaders(server, { slowAtMost: millis(options.slowAtMost), onSlow })
  return server
}

// A connection that ended its request while the server stops is idle for a moment; this is how often they are swept.
const sweep = "20 millis"

/** Connections that the server itself does not know of. */
export interface MoreConnections {
  readonly closeIdle: () => void
  readonly closeAll: () => void
}

/** Stops accepting, waits for the requests in hand, and cuts what is left after the time allowed. */
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
