import { ApiKeys } from "@clicks/core/access/ApiKeys"
import type { Role } from "@clicks/core/access/Caller"
import { SenderKeys } from "@clicks/core/access/SenderKeys"
import { Sessions } from "@clicks/core/access/Sessions"
import { layerNone, type TokenVerifier } from "@clicks/core/access/TokenVerifier"
import type { TrustedOrigins } from "@clicks/core/access/TrustedOrigins"
import type { ClickAnalytics } from "@clicks/core/analytics/ClickAnalytics"
import type { ClickArrivals } from "@clicks/core/clicks/ClickArrivals"
import type { ClickEvent } from "@clicks/core/clicks/ClickEvent"
import { ClickStore } from "@clicks/core/clicks/ClickStore"
import * as ClickStoreMemory from "@clicks/core/clicks/ClickStoreMemory"
import type { LinkSecret } from "@clicks/core/clicks/links/LinkSecret"
import * as ClickRecorder from "@clicks/core/clicks/recording/ClickRecorder"
import { Quarantine } from "@clicks/core/clicks/recording/Quarantine"
import * as QuarantineMemory from "@clicks/core/clicks/recording/QuarantineMemory"
import type { Spool } from "@clicks/core/clicks/recording/Spool"
import type { StorePayloads } from "@clicks/core/stores/StorePayloads"
import type { Stores } from "@clicks/core/stores/Stores"
import type { CrawlSchedules } from "@clicks/core/tasks/CrawlSchedules"
import * as TaskKinds from "@clicks/core/tasks/TaskKinds"
import type { TaskQueue } from "@clicks/core/tasks/TaskQueue"
import * as ApiKeysMemory from "@clicks/core/testing/ApiKeysMemory"
import * as ClickAnalyticsMemory from "@clicks/core/testing/ClickAnalyticsMemory"
import * as ClickArrivalsMemory from "@clicks/core/testing/ClickArrivalsMemory"
import * as LinkSecretMemory from "@clicks/core/testing/LinkSecretMemory"
import * as SessionsMemory from "@clicks/core/testing/SessionsMemory"
import * as SpoolMemory from "@clicks/core/testing/SpoolMemory"
import * as StoresMemory from "@clicks/core/testing/StoresMemory"
import * as TasksMemory from "@clicks/core/testing/TasksMemory"
import * as TrustedOriginsMemory from "@clicks/core/testing/TrustedOriginsMemory"
import { Cause, Context, Effect, Layer, Logger, Redacted, Stream } from "effect"
import { HttpServer as Listening } from "effect/http"
import { NetAddress } from "effect/net"
import * as HttpServer from "../src/HttpServer.ts"
import type { HttpServerOptions } from "../src/HttpServerOptions.ts"
import * as Readiness from "../src/health/Readiness.ts"
import { assertDescribed } from "./conformance.ts"

export const adminKey = "an-admin-key-for-the-tests"

/** Replacements for parts of the server. */
export interface Given {
  readonly options?: Partial<HttpServerOptions>
  readonly store?: Layer.Layer<ClickStore>
  readonly recorder?: Layer.Layer<ClickRecorder.ClickRecorder>
  readonly keys?: Layer.Layer<ApiKeys>
  readonly sessions?: Layer.Layer<Sessions, never, ApiKeys>
  readonly tokens?: Layer.Layer<TokenVerifier>
  readonly arrivals?: Layer.Layer<ClickArrivals>
  readonly quarantine?: Layer.Layer<Quarantine>
  readonly links?: Layer.Layer<LinkSecret>
  readonly spool?: Layer.Layer<Spool>
  readonly analytics?: Layer.Layer<ClickAnalytics>
  readonly origins?: Layer.Layer<TrustedOrigins>
  readonly stores?: Layer.Layer<Stores | StorePayloads>
  readonly kinds?: Layer.Layer<TaskKinds.TaskKinds>
  readonly tasks?: Layer.Layer<TaskQueue | CrawlSchedules>
  readonly checks?: Readonly<Record<string, Readiness.Check>>
}

/** A line of the log, in readable form. */
const collect = (lines: Array<string>) =>
  Logger.layer([
    Logger.make(({ cause, logLevel, message }) => {
      const causes = cause.reasons.length === 0 ? "" : ` ${Cause.pretty(cause)}`
      const parts = Array.isArray(message) ? message.map(String) : [String(message)]
      lines.push(`${logLevel.toUpperCase()} ${parts.join(" ")}${causes}`)
    })
  ])

const senderKeys = Layer.effect(
  SenderKeys,
  ApiKeys.useSync(({ revocations, verify }) => ({ verify, verifyAccess: verify, signals: revocations }))
)

const services = (given: Given) => {
  const store = Layer.merge(given.store ?? ClickStoreMemory.layer, given.quarantine ?? QuarantineMemory.layer)
  return Layer.mergeAll(
    given.recorder ?? ClickRecorder.layer.pipe(Layer.provide(store)),
    store,
    senderKeys.pipe(
      Layer.merge(given.sessions ?? SessionsMemory.layer),
      Layer.provideMerge(given.keys ?? ApiKeysMemory.layer)
    ),
    given.tokens ?? layerNone,
    given.arrivals ?? ClickArrivalsMemory.layer.pipe(Layer.provide(store)),
    given.links ?? LinkSecretMemory.layer,
    given.spool ?? SpoolMemory.layer(),
    given.analytics ?? ClickAnalyticsMemory.layer.pipe(Layer.provide(store)),
    given.origins ?? TrustedOriginsMemory.layer,
    given.stores ?? StoresMemory.layer,
    given.kinds ?? TaskKinds.layer,
    given.tasks ?? TasksMemory.layer,
    Readiness.layer(given.checks ?? { database: Effect.succeed({}) })
  )
}

export interface Request {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body, if it is JSON. */
  readonly json: unknown
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends a request and checks the response against `openapi.json`. */
const ask = (url: string, path: string, init: Request = {}): Effect.Effect<Answer> =>
  Effect.promise(async (signal) => {
    const response = await fetch(url + path, { signal, ...init })
    const text = await response.text()
    const answer = { status: response.status, headers: response.headers, text, json: parsed(text) }
    assertDescribed(init.method ?? "GET", path.split("?", 1)[0] ?? path, answer)
    return answer
  })

/** A server on its own port, with stores in memory unless others are given. It stops with the test. */
export const testServer = Effect.fnUntraced(function* (given: Given = {}) {
  const options = { port: 0, adminKey: Redacted.make(adminKey), ...given.options }
  const log: Array<string> = []
  const context = yield* Layer.build(
    HttpServer.layer(options).pipe(Layer.provideMerge(services(given)), Layer.provide(collect(log)))
  )
  const { address } = Context.get(context, Listening.HttpServer)
  const port = NetAddress.isInetAddress(address) ? address.port : 0
  const url = `http://127.0.0.1:${port}`
  const store = Context.get(context, ClickStore)
  const keys = Context.get(context, ApiKeys)

  return {
    port,
    url,
    /** What the server has logged, one line per entry. */
    log,
    keys,
    sessions: Context.get(context, Sessions),
    quarantine: Context.get(context, Quarantine),
    ask: (path: string, init?: Request) => ask(url, path, init),
    /** Sends a request with the configured admin key. */
    askAdmin: (path: string, init: Request = {}) =>
      ask(url, path, { ...init, headers: { ...init.headers, "X-API-Key": adminKey } }),
    /** All stored clicks, newest first. */
    stored: Effect.orDie(Stream.runCollect(store.stream({}))).pipe(
      Effect.map((events): ReadonlyArray<ClickEvent> => Array.from(events))
    ),
    /** The secret of a new key. */
    key: (role: Role, user_id = "u-5") =>
      keys.create({ user_id, role, name: null }).pipe(
        Effect.map(({ secret }) => Redacted.value(secret)),
        Effect.orDie
      )
  }
})

export type TestServer = Effect.Success<ReturnType<typeof testServer>>

/** The smallest click. */
export const click = { product_id: "p-1", action: "view", source: "web" }

/** A request that sends a value as JSON. */
export const posting = (body: unknown, headers: Record<string, string> = {}): Request => ({
  method: "POST",
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify(body)
})

export const one = "/api/events/product-click"
export const many = "/api/events/product-clicks"
