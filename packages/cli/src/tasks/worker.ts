import { HttpListenError } from "@clicks/http/HttpListenError"
import * as WorkerHealth from "@clicks/worker/tasks/WorkerHealth"
import { Effect, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import { NetAddress } from "effect/net"
import * as Database from "../Database.ts"
import { untilStopped } from "../process/signals.ts"
import { Settings, withSettings } from "../settings/Settings.ts"
import * as Output from "../terminal/Output.ts"
import * as WorkerLayer from "./WorkerLayer.ts"

const healthUrl = Effect.map(Effect.serviceOption(HttpServer.HttpServer), (server) => {
  const address = Option.getOrUndefined(server)?.address
  if (address === undefined || address._tag === "UnixPathAddress") return null
  return `http://${NetAddress.formatInet(address)}`
})

const announce = Effect.fnUntraced(function* ({ json }: Output.Format) {
  const { maxConcurrentTasks } = yield* Settings
  const health = yield* healthUrl
  if (json) return yield* Output.json({ max_concurrent_tasks: maxConcurrentTasks, health })
  const database = yield* Database.location
  yield* Output.line(`The worker is ready: up to ${maxConcurrentTasks} tasks at once\nDatabase: ${database}`)
  if (health !== null) yield* Output.line(`Health:   ${health}/livez and ${health}/metrics`)
})

const withHealth = (port: number) =>
  withSettings(({ host }) =>
    WorkerHealth.layer({ host, port }).pipe(
      Layer.catch(({ cause }) =>
        Layer.effect(HttpServer.HttpServer, HttpListenError.of(`${host}:${port}`, cause))
      )
    )
  ).pipe(Layer.provideMerge(WorkerLayer.layer))

/** `clicks worker`: only a worker, until a signal. */
export const worker = ({ port, ...format }: Output.Format & { readonly port?: number }) =>
  untilStopped(announce(format), "finishing running tasks for up to 30 s").pipe(
    Effect.provide(port === undefined ? WorkerLayer.layer : withHealth(port)),
    Database.creating
  )
