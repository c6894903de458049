import { isIP } from "node:net"
import { StoreSourceError } from "@clicks/core/stores/StoreSource"
import { withoutSecrets } from "@clicks/core/values/HttpUrl"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Effect, type Scope } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { NotPublicAddress, nonPublicRange, publicLookup, type Resolve } from "./PublicAddress.ts"

/** Sends one GET request and follows no redirects. The scope holds the connection. */
export type WebClient = (
  url: URL
) => Effect.Effect<HttpClientResponse.HttpClientResponse, StoreSourceError, Scope.Scope>

/** A failure whose message is the URL, without user, password and query, followed by `what`. */
export const failure = (url: URL, what: string, retryable = false, cause?: unknown): StoreSourceError => {
  const message = `${withoutSecrets(url.href)} ${what}`
  return new StoreSourceError({ message, retryable, ...(cause !== undefined && { cause }) })
}

const notPublic = (url: URL, range: string) =>
  failure(url, `is not on the public internet (${range}); set CLICKS_CRAWL_ALLOW_PRIVATE=true to allow it`)

const findCause = (error: unknown): unknown => {
  const cause = error instanceof Error ? error.cause : undefined
  return cause === undefined ? error : findCause(cause)
}

const describe = (cause: unknown): string => {
  if (cause instanceof AggregateError) return describe(cause.errors[0])
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code
  return cause instanceof Error ? cause.message : "unknown reason"
}

/** The failure of a request that got no response or only a part of it. */
export const unreachable = (url: URL, error: unknown): StoreSourceError => {
  const cause = findCause(error)
  if (cause instanceof NotPublicAddress) return notPublic(url, cause.range)
  return failure(url, `cannot be reached: ${describe(cause)}`, true, cause)
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const requestFor = (url: URL) => {
  const { password, username } = url
  const target = new URL(url)
  target.username = ""
  target.password = ""
  target.hash = ""
  const request = HttpClientRequest.get(target.href, {
    // A compressed body could exceed the size limit when it is decompressed.
    headers: { accept: "application/json", "accept-encoding": "identity", "user-agent": "clicks" }
  })
  return username === "" && password === ""
    ? request
    : HttpClientRequest.basicAuth(request, decode(username), decode(password))
}

const refuseLiteral = (url: URL): StoreSourceError | undefined => {
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const range = isIP(host) === 0 ? undefined : nonPublicRange(host)
  return range === undefined ? undefined : notPublic(url, range)
}

const connectTimeout = 10_000

/**
 * Creates a client that connects to any address or, with `publicOnly`, only to public ones. It checks the address that the socket connects
 * to: for a host name, when it is resolved; for a literal address in any notation, before the request.
 */
export const make = Effect.fnUntraced(function* (options: {
  readonly publicOnly: boolean
  readonly resolve?: Resolve
}) {
  const dispatcher = yield* NodeHttpClient.makeDispatcherOptions({
    connect: { timeout: connectTimeout, ...(options.publicOnly && { lookup: publicLookup(options.resolve) }) }
  })
  const client = yield* NodeHttpClient.makeUndici.pipe(
    Effect.provideService(NodeHttpClient.Dispatcher, dispatcher),
    Effect.map(HttpClient.withScope)
  )
  const get: WebClient = Effect.fnUntraced(
    function* (url) {
      const refusal = options.publicOnly ? refuseLiteral(url) : undefined
      if (refusal !== undefined) return yield* refusal
      return yield* client.execute(requestFor(url)).pipe(Effect.mapError((error) => unreachable(url, error)))
    },
    Effect.provideService(HttpClient.TracerPropagationEnabled, false)
  )
  return get
})
