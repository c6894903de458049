import { ApiKeys } from "@clicks/core/access/ApiKeys"
import { Effect, Layer, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { loginLink } from "../access/loginLink.ts"
import * as Database from "../Database.ts"
import { stopWithParent, untilStopped } from "../process/signals.ts"
import { Settings } from "../settings/Settings.ts"
import * as WorkerLayer from "../tasks/WorkerLayer.ts"
import * as Output from "../terminal/Output.ts"
import * as Service from "./Service.ts"
import * as StartupMigration from "./StartupMigration.ts"
import { serviceUrl } from "./serviceUrl.ts"

const serverUrl = Effect.gen(function* () {
  const { host } = yield* Settings
  const { address } = yield* HttpServer.HttpServer
  return serviceUrl({ host, port: address._tag === "UnixPathAddress" ? 0 : address.port })
})

const keyText = (url: string, secret: string) => `
Admin key (not shown again):
  ${secret}

Record a click and list clicks:
  curl ${url}/api/events/product-click -H 'content-type: application/json' -d '{"product_id":"p-1001","action":"view","source":"web"}'
  curl ${url}/api/events/product-clicks -H 'authorization: Bearer ${secret}'
`

interface Access {
  readonly secret: string | null
  /** A one-time link to the dashboard. */
  readonly link: string | null
}

const printAccess = Effect.fnUntraced(function* ({ link, secret }: Access) {
  if (link !== null) {
    yield* Output.line(
      `\nOpen the dashboard (the link works once and expires after a minute; "clicks open" makes another):\n  ${link}`
    )
  }
  if (secret !== null) yield* Output.line(keyText(yield* serverUrl, secret))
})

const announce = Effect.fnUntraced(function* ({ json }: Output.Format, access: Access) {
  const url = yield* serverUrl
  const docs = `${url}/docs`
  if (json) return yield* Output.json({ url, docs, admin_key: access.secret, login_link: access.link })
  const database = yield* Database.location
  yield* Output.line(`Clicks is ready: ${url}\nDocumentation:   ${docs}\nDatabase:        ${database}`)
  yield* printAccess(access)
})

/** Creates an admin key if there is none, counting revoked ones, and `CLICKS_ADMIN_KEY` is not set. */
const createFirstAdminKey = Effect.gen(function* () {
  const { adminKey } = yield* Settings
  const keys = yield* ApiKeys
  const existing = yield* keys.list
  if (adminKey !== undefined || existing.some((key) => key.role === "admin")) return null
  const { secret } = yield* keys.create({
    user_id: "admin",
    role: "admin",
    name: "created by the first start"
  })
  return Redacted.value(secret)
})

const noAccess: Access = { secret: null, link: null }

const makeAccess = Effect.gen(function* () {
  const secret = yield* createFirstAdminKey
  return { secret, link: yield* loginLink(yield* serverUrl) }
})

/** Announces the service with a login link and a new admin key. If the database is unavailable, link and key are printed later. */
const announceWithKey = Effect.fnUntraced(function* (format: Output.Format) {
  const { awaitComplete, isComplete } = yield* StartupMigration.StartupMigration
  if (yield* isComplete) return yield* announce(format, yield* makeAccess)
  yield* announce(format, noAccess)
  yield* Effect.forkChild(
    Effect.gen(function* () {
      yield* awaitComplete
      const access = yield* makeAccess
      if (format.json) yield* Output.json({ admin_key: access.secret, login_link: access.link })
      else yield* printAccess(access)
    })
  )
})

/** `clicks start`: everything on this machine, until a signal or, with `stopWithParent`, the end of its parent. */
export const start = (options: Output.Format & { readonly stopWithParent?: true }) =>
  untilStopped(
    Effect.andThen(options.stopWithParent ? stopWithParent : Effect.void, announceWithKey(options)),
    "finishing open requests and running tasks"
  ).pipe(
    // The server depends on the worker so that it stops first: nothing new arrives while the worker drains.
    Effect.provide(
      Service.layer().pipe(Layer.provide(WorkerLayer.onDatabase.pipe(Layer.provide(StartupMigration.layer))))
    ),
    Database.creating
  )

/** `clicks serve`: only the HTTP server, until a signal. */
export const serve = ({ sharePort, ...format }: Output.Format & { readonly sharePort?: true }) =>
  untilStopped(announce(format, noAccess), "finishing open requests").pipe(
    Effect.provide(Service.layer(sharePort)),
    Database.creating
  )
