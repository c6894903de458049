import { maxMenuBytes } from "@clicks/core/stores/ProductInput"
import { StoreSourceError } from "@clicks/core/stores/StoreSource"
import { withoutSecrets } from "@clicks/core/values/HttpUrl"
import { Duration, Effect, identity, type Scope, Stream } from "effect"
import type { HttpClientResponse } from "effect/http"
import * as HostPace from "./HostPace.ts"
import type { Resolve } from "./PublicAddress.ts"
import * as WebClient from "./WebClient.ts"
import { failure, unreachable } from "./WebClient.ts"

export interface JsonFetchOptions {
  /** Whether URLs may resolve to addresses that are not public: those of this machine, its network and the cloud's metadata. */
  readonly allowPrivate: boolean
  /** The maximum size of a body. */
  readonly maxBytes: number
  /** The maximum duration, including redirects, from resolving the name to the last byte. */
  readonly timeout: Duration.Input
  /** The minimum time between two requests to a host. */
  readonly interval: Duration.Input
  /** How names are resolved; by default, as the system does. */
  readonly resolve?: Resolve
}

const defaultOptions: JsonFetchOptions = {
  allowPrivate: false,
  maxBytes: maxMenuBytes,
  timeout: "60 seconds",
  interval: "500 millis"
}

/**
 * Returns the JSON value at a URL, following at most five redirects. `trustedOrigin` was configured by the operator, so its address need
 * not be public. Does not retry: the queue retries the task.
 */
export type JsonFetch = (url: string, trustedOrigin?: string) => Effect.Effect<unknown, StoreSourceError>

const isTransient = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500

const parseUrl = (text: string, base?: string): URL | undefined => {
  const url = URL.parse(text, base)
  return url !== null && (url.protocol === "http:" || url.protocol === "https:") ? url : undefined
}

const maxRedirects = 5
const redirections = new Set([301, 302, 303, 307, 308])

/** Puts the context of a failure before its message. */
export const within =
  (context: string) =>
  ({ cause, message, retryable }: StoreSourceError): StoreSourceError =>
    new StoreSourceError({
      message: `${context}: ${message}`,
      retryable,
      ...(cause !== undefined && { cause })
    })

type Response = HttpClientResponse.HttpClientResponse

const tooLarge = (url: URL, maxBytes: number) =>
  failure(url, `returned more than ${Math.floor(maxBytes / 2 ** 20)} MiB`)

// Rejects HTML, which comes from login and maintenance pages and from wrong URLs. Other types are accepted because many shops serve JSON
// files with a wrong type.
const checkHeaders = Effect.fnUntraced(function* ({ headers }: Response, url: URL, maxBytes: number) {
  if (/^\s*(text\/html|application\/xhtml\+xml)\b/i.test(headers["content-type"] ?? "")) {
    return yield* failure(url, "returned HTML instead of JSON")
  }
  if ((headers["content-encoding"] ?? "identity").toLowerCase() !== "identity") {
    return yield* failure(url, "returned a compressed response, which was not requested")
  }
  if (Number(headers["content-length"] ?? 0) > maxBytes) return yield* tooLarge(url, maxBytes)
})

/** The body as a JSON value. Reads no more than `maxBytes` of it. */
const readJson = Effect.fnUntraced(function* (response: Response, url: URL, maxBytes: number) {
  yield* checkHeaders(response, url, maxBytes)
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* response.stream.pipe(
    Stream.mapError((error) => unreachable(url, error)),
    Stream.runForEachArray((arrived) => {
      for (const chunk of arrived) size += chunk.length
      if (size > maxBytes) return Effect.fail(tooLarge(url, maxBytes))
      chunks.push(...arrived)
      return Effect.void
    })
  )
  return yield* Effect.try({
    try: (): unknown => JSON.parse(new TextDecoder().decode(Buffer.concat(chunks, size))),
    catch: () => failure(url, "did not return JSON")
  })
})

/** Creates a function that fetches JSON from untrusted URLs. It limits the rate of requests to each host as long as the scope is open. */
export const make = Effect.fnUntraced(function* (
  overrides: Partial<JsonFetchOptions>
): Effect.fn.Return<JsonFetch, never, Scope.Scope> {
  const options = { ...defaultOptions, ...overrides }
  const { allowPrivate, interval, maxBytes, resolve } = options
  const trusting = yield* WebClient.make({ publicOnly: false })
  const careful = yield* WebClient.make({ publicOnly: !allowPrivate, ...(resolve && { resolve }) })
  const pace = HostPace.make(interval)

  // Sends one request. Closing the scope discards the unread rest of the response.
  const request = Effect.fnUntraced(function* (url: URL, trustedOrigin: string | undefined) {
    yield* pace(url.host)
    const response = yield* (url.origin === trustedOrigin ? trusting : careful)(url)
    const { headers, status } = response
    const location = redirections.has(status) ? headers["location"] : undefined
    if (location !== undefined) {
      const target = parseUrl(location, url.href)
      return target
        ? { target }
        : yield* failure(url, "redirects to something that is not an http or https URL")
    }
    if (status < 200 || status >= 300) {
      return yield* failure(url, `returned status ${status}`, isTransient(status))
    }
    return { json: yield* readJson(response, url, maxBytes) }
  }, Effect.scoped)

  const follow = Effect.fnUntraced(function* (start: URL, trustedOrigin: string | undefined) {
    let url = start
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const { json, target } = yield* request(url, trustedOrigin).pipe(
        Effect.mapError(url === start ? identity : within(`${withoutSecrets(start.href)} redirects`))
      )
      if (target === undefined) return json
      url = target
    }
    return yield* failure(start, `redirects more than ${maxRedirects} times`)
  })

  const timeout = Duration.fromInputUnsafe(options.timeout)
  return Effect.fn("JsonFetch")(function* (text: string, trustedOrigin?: string) {
    const url = parseUrl(text)
    if (url === undefined) {
      const message = `${withoutSecrets(text)} is not an http or https URL`
      return yield* new StoreSourceError({ message, retryable: false })
    }
    return yield* follow(url, trustedOrigin).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () => unreachable(url, new Error(`no complete response within ${Duration.format(timeout)}`))
      })
    )
  })
})
