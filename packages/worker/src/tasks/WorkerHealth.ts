import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServer, type HttpServerError, HttpServerResponse } from "effect/http"
import { PrometheusMetrics } from "effect/observability"
import { TaskWorker } from "./TaskWorker.ts"

const livez = Effect.gen(function* () {
  const { held, isTaking } = yield* TaskWorker
  const taking = yield* isTaking
  const body = { status: taking ? "ok" : "stopping", held: yield* held }
  return HttpServerResponse.jsonUnsafe(body, { status: taking ? 200 : 503 })
})

const routes = HttpRouter.addAll([
  HttpRouter.route("GET", "/livez", livez),
  HttpRouter.route(
    "GET",
    "/metrics",
    Effect.map(PrometheusMetrics.format(), (text) =>
      HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
    )
  )
])

/**
 * Serves `/livez` (200 while the worker takes tasks, 503 once it stops) and `/metrics` in the text format of Prometheus, without
 * authentication.
 */
export const layer = (options: {
  readonly host: string
  readonly port: number
}): Layer.Layer<HttpServer.HttpServer, HttpServerError.ServeError, TaskWorker> =>
  HttpRouter.serve(routes, { disableLogger: true, disableListenLog: true }).pipe(
    Layer.provideMerge(NodeHttpServer.layer(createServer, options))
  )
