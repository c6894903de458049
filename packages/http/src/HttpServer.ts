import type { Server } from "node:http"
import type { Socket } from "node:net"
import * as OriginTrust from "@clicks/core/access/OriginTrust"
import { longestToken } from "@clicks/core/clicks/links/ClickLink"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Deferred, Effect, Layer, Tracer } from "effect"
import { HttpRouter, HttpServer, type HttpServerError } from "effect/http"
import * as Authentication from "./access/Authentication.ts"
import * as Logins from "./access/Logins.ts"
import { withPreflight } from "./access/ReadingCors.ts"
import * as RequestCaller from "./access/RequestCaller.ts"
import * as Shares from "./analytics/sharing/Shares.ts"
import { PlainConnections } from "./clicks/recording/plain/PlainConnections.ts"
import * as recordOne from "./clicks/recording/recordOne.ts"
import { endpoints } from "./endpoints.ts"
import { defaultOptions, type HttpServerOptions } from "./HttpServerOptions.ts"
import { BodyBudget, Budget } from "./requests/BodyBudget.ts"
import * as routes from "./routes.ts"
import * as ConnectionLimit from "./server/ConnectionLimit.ts"
import { withFallback } from "./server/fallback.ts"
import { HttpListenError } from "./server/HttpListenError.ts"
import { limitedWarning } from "./server/limitedWarning.ts"
import { create, stop } from "./server/nodeServer.ts"
import { listenToo } from "./server/processPort.ts"
import { maxHeaderSize, withRefusals } from "./server/refusals.ts"
import { Stopping } from "./server/Stopping.ts"
import { slowestRate } from "./server/slowReaders.ts"

const listenError =
  (options: HttpServerOptions) =>
  ({ cause }: HttpServerError.ServeError) =>
    HttpListenError.of(options.socketPath ?? `${options.host}:${options.port}`, cause)

const listening = (server: Server, options: HttpServerOptions) =>
  Layer.effect(
    HttpServer.HttpServer,
    NodeHttpServer.make(() => server, {
      ...(options.socketPath === undefined
        ? { host: options.host, port: options.port, reusePort: options.sharePort }
        : { path: options.socketPath }),
      // `stop` closes the server: Effect's own shutdown would wait for connections that never end.
      disablePreemptiveShutdown: true
    }).pipe(Effect.mapError(listenError(options)))
  )

const slowReader = ({ remoteAddress }: Socket) =>
  `Closed a connection from ${remoteAddress}: the client read its response slower than ${slowestRate / 1024} KiB/s`

const noTracer = Context.get(Context.empty(), Tracer.Tracer)

// Store ids, product ids and link tokens are path parameters. By default, the router accepts at most 100 characters and ignores case.
const routerConfig = { maxParamLength: longestToken, caseSensitive: true }

/**
 * Serves the API. The layer is ready when the port is open, and provides effect's `HttpServer`, which has the address. When its scope
 * closes, it stops accepting, finishes the requests in progress and closes the connections. Fails with `HttpListenError`.
 */
export const layer = (given: Partial<HttpServerOptions> = {}) => {
  const options = { ...defaultOptions, ...given }
  return Layer.unwrap(
    Effect.gen(function* () {
      // The routes are built before the port opens, so that they serve the first request.
      const stopping = yield* Deferred.make<void>()
      const app = yield* HttpRouter.toHttpEffect(routes.layer(options)).pipe(
        Effect.provideService(HttpRouter.RouterConfig, routerConfig),
        Effect.provideService(Stopping, Deferred.await(stopping))
      )
      const warn = limitedWarning()
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const server = create(options, (socket) => run(warn(slowReader(socket))))
      const plain = new PlainConnections()
      const limit = yield* ConnectionLimit.make(options.maxConnections)
      if (options.plainConnections && (yield* Tracer.Tracer) === noTracer) {
        plain.takeFirst(server, {
          ...(yield* recordOne.make(options)),
          maxHead: maxHeaderSize,
          maxBody: options.maxBody,
          onFirst: limit.prove
        })
      }
      limit.watch(server, plain.isAnswering)
      const known = endpoints()
      const readable = known.filter(({ isReadable }) => isReadable).map(({ pattern }) => pattern)
      const served = app.pipe(
        withPreflight(readable),
        withFallback(known),
        withRefusals,
        Effect.provideService(Budget, new BodyBudget(options.maxBodyBytes))
      )
      const stopAtEnd = Layer.effectDiscard(
        Effect.addFinalizer(() =>
          Effect.andThen(Deferred.succeed(stopping, undefined), stop(server, plain, options.stopWithin))
        )
      )
      const { host, processPort } = options
      const more =
        processPort === undefined ? Layer.empty : Layer.effectDiscard(listenToo(server, host, processPort))
      return more.pipe(
        Layer.provideMerge(stopAtEnd),
        Layer.provideMerge(HttpServer.serve(served)),
        Layer.provideMerge(listening(server, options))
      )
    })
  ).pipe(
    Layer.provide(RequestCaller.layer(options)),
    Layer.provide([
      NodeHttpServer.layerHttpServices,
      OriginTrust.layer(options),
      Authentication.layer(options.adminKey),
      Logins.layer(options.adminKey),
      Shares.layer(options.adminKey)
    ])
  )
}
