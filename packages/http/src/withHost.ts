import { IncomingMessage } from "node:http"
import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { errorResponse } from "./apiResponse.ts"

const refused = errorResponse(400, "A request in HTTP/1.1 must have the header Host", {
  connection: "close"
})

const lacksHost = ({ headers, source }: HttpServerRequest.HttpServerRequest): boolean =>
  headers["host"] === undefined && source instanceof IncomingMessage && source.httpVersion === "1.1"

/** Refuses requests without `Host`, which HTTP/1.1 asks for (RFC 9112, section 3.2). */
export const withHost = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request): typeof app =>
    lacksHost(request) ? Effect.succeed(refused) : app
  )
