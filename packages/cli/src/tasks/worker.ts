import { HttpListenError } from "@clicks/http/HttpListenError"
import * as WorkerHealth from "@clicks/worker/tasks/WorkerHealth"
import { Effect, Layer, Option } from "effect"
import { HttpServer } from "effect/http"
import { NetAddress } from "effect/net"
import { exitCodes } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { Settings } from "../settings/Settings.ts"
import * as Output from "../terminal/Output.ts"
import * as WorkerLayer from "./WorkerLayer.ts"

interface WorkerOptions {
  readonly port?: number
  readonly json: boolean
}

const healthUrl = Effect.map(Effect.serviceOption(HttpServer.HttpServer), (server) => {
  const address = Option.getOrUndefined(server)?.address
  if (address === undefined || address._tag === "UnixPathAddress") return null
  return `http://${NetAddress.formatInet(address)}`
})

const announce = Effect.fnUntraced(function* (json: boolean) {
  const { databaseUrl, dataDir, maxConcurrentTasks } = yield* Settings
  const health = yield* healthUrl
  if (json) return yield* Output.json({ max_concurrent_tasks: maxConcurrentTasks, health })
  const database = Option.isSome(databaseUrl) ? "DATABASE_URL" : `embedded, in ${dataDir}`
  yield* Output.line(`The worker is ready: up to ${maxConcurrentTasks} tasks at once\nDatabase: ${database}`)
  if (health !== null) yield* Output.line(`Health:   ${health}/livez and ${health}/metrics`)
})

const withHealth = (port: number) =>
  Layer.unwrap(
    Effect.map(Settings, ({ host }) =>
      WorkerHealth.layer({ host, port }).pipe(
        Layer.catch(({ cause }) =>
          Layer.effect(HttpServer.HttpServer, HttpListenError.of(`${host}:${port}`, cause))
        )
      )
    )
  ).pipe(Layer.provideMerge(WorkerLayer.layer))

/** `clicks worker`: a worker alone, until a signal stops it. */
export const worker = ({ json, port }: WorkerOptions) =>
  announce(json).pipe(
    Effect.andThen(Effect.never),
    Effect.as(exitCodes.done),
    port === undefined ? Effect.provide(WorkerLayer.layer) : Effect.provide(withHealth(port)),
    Database.creating
  )
