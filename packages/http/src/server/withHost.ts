import { IncomingMessage } from "node:http"
import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { errorResponse } from "../responses/apiResponse.ts"
import { isBehindRefused, refuseFollowing } from "./nodeServer.ts"

const refused = errorResponse(400, "HTTP/1.1 requests must have exactly one Host header", {
  connection: "close"
})

// HTTP/1.0 may do without; nobody may say two.
const isRefused = ({ source }: HttpServerRequest.HttpServerRequest): boolean => {
  if (!(source instanceof IncomingMessage)) return false
  const hosts = source.headersDistinct["host"]?.length ?? 0
  if (hosts > 1 || (hosts === 0 && source.httpVersion === "1.1")) refuseFollowing(source)
  return isBehindRefused(source)
}

/** Refuses requests without `Host` or with two of them (RFC 9112, section 3.2), and what is pipelined behind a refused one. */
export const withHost = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request): typeof app =>
    isRefused(request) ? Effect.succeed(refused) : app
  )
