import { IncomingMessage, type Server } from "node:http"
import type { Duplex } from "node:stream"
import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { errorResponse } from "../responses/apiResponse.ts"
import { rawResponse } from "../responses/rawResponse.ts"

const late = "ERR_HTTP_REQUEST_TIMEOUT"

/** The maximum size of a request's headers in bytes; beyond it, the response is 431. */
export const maxHeaderSize = 16 * 1024

const answers: Readonly<Record<string, readonly [status: number, error: string]>> = {
  HPE_HEADER_OVERFLOW: [431, `The headers are over ${maxHeaderSize} bytes`],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "The chunk extensions are too long"],
  [late]: [408, "The request did not arrive in time"]
}

// A second response must not interrupt one that has begun. Node keeps that one in this property, and checks it when nothing listens to
// "clientError".
const hasBegun = (socket: Duplex): boolean => {
  const message: unknown = Reflect.get(socket, "_httpMessage")
  return typeof message === "object" && message !== null && Reflect.get(message, "headersSent") === true
}

/** Responds to malformed HTTP with `{error}`, like the API, and closes the connection. */
const refuse = (error: Error & { readonly code?: string }, socket: Duplex): void => {
  if (!socket.writable || error.code === "ECONNRESET" || hasBegun(socket)) {
    socket.destroy()
    return
  }
  const [status, sentence] = answers[error.code ?? ""] ?? [400, "The request is not HTTP"]
  socket.end(rawResponse(errorResponse(status, sentence), "Connection: close"), () => socket.destroy())
}

/** Responds with 408 to a request that takes too long to arrive, and closes its connection. */
export const refuseLate = (socket: Duplex): void =>
  refuse(Object.assign(new Error("The request is late"), { code: late }), socket)

const close = { connection: "close" }
const wrongHost = errorResponse(400, "HTTP/1.1 requests must have exactly one Host header", close)
const wrongExpectation = errorResponse(
  417,
  "Unsupported Expect header. Only 100-continue is supported",
  close
)

// Kept per connection: requests that are pipelined behind a rejected one must not be processed.
const refused = new WeakMap<Duplex, HttpServerResponse.HttpServerResponse>()

/** Rejects malformed and late requests, and those that expect anything other than 100-continue. */
export const refuseMalformed = (server: Server): void => {
  server.on("clientError", refuse)
  // Nothing can follow on this connection: it is unknown whether the client sends its body.
  server.on("checkExpectation", (request: IncomingMessage, response) => {
    refused.set(request.socket, wrongExpectation)
    server.emit("request", request, response)
  })
}

const refusalOf = ({ source }: HttpServerRequest.HttpServerRequest) => {
  if (!(source instanceof IncomingMessage)) return undefined
  const hosts = source.headersDistinct["host"]?.length ?? 0
  const isWrong = hosts > 1 || (hosts === 0 && source.httpVersion === "1.1")
  if (isWrong && !refused.has(source.socket)) refused.set(source.socket, wrongHost)
  return refused.get(source.socket)
}

/**
 * Rejects requests without `Host` or with more than one (RFC 9112, section 3.2), and those that are pipelined behind a rejected request.
 */
export const withRefusals = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request): typeof app => {
    const refusal = refusalOf(request)
    return refusal === undefined ? app : Effect.succeed(refusal)
  })
