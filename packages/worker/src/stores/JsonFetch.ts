import { maxMenuBytes } from "@clicks/core/stores/ProductInput"
import { withoutSecrets } from "@clicks/core/values/HttpUrl"
import { Clock, Duration, Effect, Schedule, type Scope } from "effect"
import type { HttpClientResponse } from "effect/http"
import { FetchFailure, refuse } from "./FetchFailure.ts"
import * as HostPace from "./HostPace.ts"
import type { Resolve } from "./PublicAddress.ts"
import { readJson } from "./readJson.ts"
import * as WebClient from "./WebClient.ts"

export interface JsonFetchOptions {
  /** Whether URLs may lead to addresses that are not public: this machine, its network, the cloud's metadata. */
  readonly allowPrivate: boolean
  /** The maximum size of a body. */
  readonly maxBytes: number
  /** The maximum duration of an attempt, with its redirects, from the lookup of the name to the last byte. */
  readonly timeout: Duration.Input
  /** How often a request is repeated after a transient failure. */
  readonly retries: number
  /** The minimum time between two requests to a host. */
  readonly interval: Duration.Input
  /** The longest `Retry-After` that is respected; after a longer one the request is not repeated. */
  readonly maxRetryAfter: Duration.Input
  /** How names are resolved; by default as the system does. */
  readonly resolve?: Resolve
}

const defaultOptions: JsonFetchOptions = {
  allowPrivate: false,
  maxBytes: maxMenuBytes,
  timeout: "60 seconds",
  retries: 2,
  interval: "500 millis",
  maxRetryAfter: "30 seconds"
}

/**
 * Returns the JSON value of a URL, after at most five redirects. `trustedOrigin` was configured by the operator, so it may have an address
 * that is not public.
 */
export type JsonFetch = (url: string, trustedOrigin?: string) => Effect.Effect<unknown, FetchFailure>

/** A `Retry-After` header in milliseconds: seconds or a date (RFC 9110, section 10.2.3). Undefined when it is missing or invalid. */
export const parseRetryAfter = (value: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value.trim())) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

const isTransient = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500

const checkStatus = Effect.fnUntraced(function* (
  { headers, status }: HttpClientResponse.HttpClientResponse,
  url: URL
) {
  if (status >= 200 && status < 300) return
  const retryAfter = parseRetryAfter(headers["retry-after"], yield* Clock.currentTimeMillis)
  return yield* new FetchFailure({
    message: `${withoutSecrets(url.href)} returned status ${status}`,
    retryable: isTransient(status),
    ...(retryAfter !== undefined && { retryAfter })
  })
})

const parseUrl = (text: string, base?: string): URL | undefined => {
  const url = URL.parse(text, base)
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url : undefined
}

const maxRedirects = 5
const redirections = new Set([301, 302, 303, 307, 308])

/** The URL to which the response redirects; undefined when it does not. */
const redirectTarget = Effect.fnUntraced(function* (
  response: HttpClientResponse.HttpClientResponse,
  from: URL
) {
  const location = response.headers["location"]
  if (!redirections.has(response.status) || location === undefined) return undefined
  const target = parseUrl(location, from.href)
  return target ?? (yield* refuse(from, "redirects to something that is not an http or https URL"))
})

const afterRedirect = (start: URL, { cause, message, retryable, retryAfter }: FetchFailure) =>
  new FetchFailure({
    message: `${withoutSecrets(start.href)} redirects: ${message}`,
    retryable,
    ...(retryAfter !== undefined && { retryAfter }),
    cause
  })

/** Fetches JSON from URLs that are not trusted. Keeps the pace of each host as long as the scope is open. */
export const make = Effect.fnUntraced(function* (
  overrides: Partial<JsonFetchOptions>
): Effect.fn.Return<JsonFetch, never, Scope.Scope> {
  const { allowPrivate, interval, maxBytes, resolve, retries, ...options } = {
    ...defaultOptions,
    ...overrides
  }
  const trusting = yield* WebClient.make({ publicOnly: false })
  const careful = yield* WebClient.make({ publicOnly: !allowPrivate, ...(resolve && { resolve }) })
  const pace = HostPace.make(interval)

  // One request. Closing the scope drops what was not read.
  const request = Effect.fnUntraced(function* (url: URL, trustedOrigin: string | undefined) {
    yield* pace(url.host)
    const response = yield* (url.origin === trustedOrigin ? trusting : careful)(url)
    const target = yield* redirectTarget(response, url)
    if (target !== undefined) return { target }
    yield* checkStatus(response, url)
    return { json: yield* readJson(response, url, maxBytes) }
  }, Effect.scoped)

  const follow = Effect.fnUntraced(function* (start: URL, trustedOrigin: string | undefined) {
    let url = start
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const { json, target } = yield* request(url, trustedOrigin).pipe(
        Effect.mapError((failure) => (url === start ? failure : afterRedirect(start, failure)))
      )
      if (target === undefined) return json
      url = target
    }
    return yield* refuse(start, `redirects more than ${maxRedirects} times`)
  })

  const timeout = Duration.fromInputUnsafe(options.timeout)
  const maxRetryAfter = Duration.toMillis(Duration.fromInputUnsafe(options.maxRetryAfter))
  const backoff = Schedule.exponential("500 millis").pipe(
    Schedule.jittered,
    Schedule.setInputType<FetchFailure>(),
    Schedule.modifyDelay(({ duration, input }) =>
      Effect.succeed(Duration.max(duration, Duration.millis(input.retryAfter ?? 0)))
    )
  )
  return Effect.fn("JsonFetch")(function* (text: string, trustedOrigin?: string) {
    const url = parseUrl(text)
    if (url === undefined) {
      const message = `${withoutSecrets(text)} is not an http or https URL`
      return yield* new FetchFailure({ message, retryable: false })
    }
    return yield* follow(url, trustedOrigin).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () =>
          WebClient.unreachable(url, new Error(`no whole answer within ${Duration.format(timeout)}`))
      }),
      Effect.retry({
        schedule: backoff,
        times: retries,
        while: ({ retryable, retryAfter = 0 }) => retryable && retryAfter <= maxRetryAfter
      })
    )
  })
})
