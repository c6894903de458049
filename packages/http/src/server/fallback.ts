import { Cause, Effect, Option } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApi } from "effect/http-api"
import { Api } from "../api.ts"
import { apiHeaders, errorResponse } from "../responses/apiResponse.ts"

/** What each path answers to: of the declared API, and of the pages about it. */
const routes = () => {
  const endpoints = [
    { path: "/openapi.json", method: "GET" },
    { path: "/docs", method: "GET" },
    { path: "/favicon.svg", method: "GET" },
    { path: "/favicon.ico", method: "GET" }
  ]
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => endpoints.push({ path: endpoint.path, method: endpoint.method })
  })
  return endpoints.map(({ method, path }) => ({
    pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[^/]+")}$`),
    methods: method === "GET" ? ["GET", "HEAD"] : [method]
  }))
}

const notFound = errorResponse(404, "Not found. See /docs")

// The router does not mind slashes doubled or at the end.
const plainPath = (url: string): string =>
  (url.split(/[?#]/, 1)[0] ?? url).replaceAll(/\/{2,}/g, "/").replace(/(?<=.)\/$/, "")

const unrouted = (known: ReturnType<typeof routes>, { method, url }: HttpServerRequest.HttpServerRequest) => {
  const path = plainPath(url)
  const methods = new Set(known.flatMap(({ methods, pattern }) => (pattern.test(path) ? methods : [])))
  // A path that looks like one of ours and was not found by the router is badly encoded, or too long for what it names.
  if (methods.size === 0 || methods.has(method)) return notFound
  const allow = [...methods, "OPTIONS"].join(", ")
  return method === "OPTIONS"
    ? HttpServerResponse.empty({ headers: { ...apiHeaders, allow } })
    : errorResponse(405, `Method not allowed. Use ${allow}`, { allow })
}

const tooLarge = errorResponse(413, "Body too large")
const brokenRequest = errorResponse(400, "Malformed request")
const failed = errorResponse(500, "Internal error. See the service's log")

const answer = (known: ReturnType<typeof routes>, cause: Cause.Cause<unknown>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
    const error = Option.getOrUndefined(Cause.findErrorOption(cause))
    if (HttpServerError.isHttpServerError(error)) {
      if (error.reason._tag === "RouteNotFound") return Effect.succeed(unrouted(known, request))
      if (error.reason._tag === "RequestParseError") {
        return Effect.succeed(error.reason.reason === "BodyTooLarge" ? tooLarge : brokenRequest)
      }
    }
    return Effect.as(Effect.logError(`${request.method} failed`, cause), failed)
  })

/** Answers what no endpoint answered: unknown paths, wrong methods, and failures nobody foresaw. */
export const withFallback = <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) => {
  const known = routes()
  return Effect.catchCause(app, (cause) => answer(known, cause))
}
