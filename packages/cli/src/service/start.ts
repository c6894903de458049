import { Effect, Layer, Option, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { exitCodes } from "../CommandError.ts"
import * as Database from "../Database.ts"
import { parentGone } from "../process/signals.ts"
import { Settings } from "../settings/Settings.ts"
import * as WorkerLayer from "../tasks/WorkerLayer.ts"
import * as Output from "../terminal/Output.ts"
import { firstAdminKey } from "./firstAdminKey.ts"
import * as Service from "./Service.ts"
import * as StartupMigration from "./StartupMigration.ts"

interface Format {
  readonly json?: boolean
}

const everywhere = ["0.0.0.0", "::"]

/** Where a browser on this machine finds the server. */
const urlOf = Effect.fnUntraced(function* (port: number) {
  const { host } = yield* Settings
  const name = everywhere.includes(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host
  return `http://${name}:${port}`
})

const ownPort = Effect.map(HttpServer.HttpServer, ({ address }) =>
  address._tag === "UnixPathAddress" ? 0 : address.port
)

const databaseText = Effect.map(Settings, ({ dataDir, databaseUrl }) =>
  Option.isSome(databaseUrl) ? "DATABASE_URL" : `embedded, in ${dataDir}`
)

const keyText = (url: string, secret: string) => `
Admin key (not shown again):
  ${secret}

Record a click and list clicks:
  curl ${url}/api/events/product-click -H 'content-type: application/json' -d '{"product_id":"p-1001","action":"view","source":"web"}'
  curl ${url}/api/events/product-clicks -H 'authorization: Bearer ${secret}'
`

const announce = Effect.fnUntraced(function* (
  port: number,
  key: Option.Option<Redacted.Redacted>,
  { json }: Format
) {
  const url = yield* urlOf(port)
  const docs = `${url}/docs`
  const secret = Option.getOrNull(Option.map(key, Redacted.value))
  if (json) return yield* Output.json({ url, docs, admin_key: secret })
  yield* Output.line(
    `Clicks is ready: ${url}\nDocumentation:   ${docs}\nDatabase:        ${yield* databaseText}`
  )
  if (secret !== null) yield* Output.line(keyText(url, secret))
})

const untilStopped = <E, R>(ready: Effect.Effect<void, E, R>, stop: Effect.Effect<void> = Effect.never) =>
  ready.pipe(Effect.andThen(stop), Effect.as(exitCodes.done))

/** Tells of the key that the first run makes; when the database is away, as soon as it is there. */
const announceWithKey = Effect.fnUntraced(function* (format: Format) {
  const { isComplete, awaitComplete } = yield* StartupMigration.StartupMigration
  const port = yield* ownPort
  if (yield* isComplete) return yield* announce(port, yield* firstAdminKey, format)
  yield* announce(port, Option.none(), format)
  const url = yield* urlOf(port)
  const tell = Effect.fnUntraced(function* (key: Redacted.Redacted) {
    const secret = Redacted.value(key)
    yield* format.json ? Output.json({ admin_key: secret }) : Output.line(keyText(url, secret))
  })
  yield* awaitComplete.pipe(
    Effect.andThen(firstAdminKey),
    Effect.flatMap(Option.match({ onNone: () => Effect.void, onSome: tell })),
    Effect.forkChild
  )
})

/** `clicks start`: everything on this machine, until a signal stops it or, if that is wanted, its parent ends. */
export const start = ({ stopWithParent, ...format }: Format & { readonly stopWithParent: boolean }) =>
  untilStopped(announceWithKey(format), stopWithParent ? parentGone : Effect.never).pipe(
    // The server stands on the worker, so that it stops first: nothing new comes in while the worker drains.
    Effect.provide(
      Service.layer().pipe(Layer.provide(WorkerLayer.onDatabase.pipe(Layer.provide(StartupMigration.layer))))
    ),
    Database.creating
  )

export interface ServeOptions extends Format {
  /** Whether other processes may listen on the same port. */
  readonly sharePort: boolean
}

/** `clicks serve`: the HTTP server alone, until a signal stops it. */
export const serve = ({ sharePort, ...format }: ServeOptions) =>
  untilStopped(Effect.flatMap(ownPort, (port) => announce(port, Option.none(), format))).pipe(
    Effect.provide(Service.layer({ sharePort })),
    Database.creating
  )
