import { Cause, Effect, Option } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { apiHeaders, errorResponse } from "../responses/apiResponse.ts"
import { invalidLink } from "../responses/linkPages.ts"

// People follow these links, so they get a page.
const links = /^\/(?:r|share)(?:\/|$)/

const notFound = errorResponse(404, "Not found. See /docs")

// The router ignores doubled and trailing slashes.
const plainPath = (url: string): string =>
  (url.split(/[?#]/, 1)[0] ?? url).replaceAll(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "")

type Endpoints = ReadonlyArray<{ readonly method: string; readonly pattern: RegExp }>

const unrouted = (endpoints: Endpoints, { method, url }: HttpServerRequest.HttpServerRequest) => {
  const path = plainPath(url)
  const found = endpoints.filter(({ pattern }) => pattern.test(path))
  const methods = new Set(found.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method)))
  // A path that matches a pattern but was not routed is badly encoded or too long.
  if (methods.size === 0 || methods.has(method)) return links.test(path) ? invalidLink : notFound
  const allow = [...methods, "OPTIONS"].join(", ")
  return method === "OPTIONS"
    ? HttpServerResponse.empty({ headers: { ...apiHeaders, allow } })
    : errorResponse(405, `Method not allowed. Use ${allow}`, { allow })
}

const malformed = errorResponse(400, "Malformed request")
const failed = errorResponse(500, "Internal error. See the service's log")

/** Responds to whatever no endpoint handles: unknown paths, wrong methods, malformed requests and defects. */
export const withFallback =
  (endpoints: Endpoints) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.catchCause(app, (cause) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
        if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
        const error = Option.getOrUndefined(Cause.findErrorOption(cause))
        const reason = HttpServerError.isHttpServerError(error) ? error.reason : undefined
        if (reason?._tag === "RouteNotFound") return Effect.succeed(unrouted(endpoints, request))
        if (reason?._tag === "RequestParseError") return Effect.succeed(malformed)
        return Effect.as(Effect.logError(`${request.method} failed`, cause), failed)
      })
    )
