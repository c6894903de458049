import { withoutSecrets } from "@clicks/core/stores/HttpUrl"
import { Clock, Duration, Effect } from "effect"
import type { HttpClientResponse } from "effect/http"
import { FetchFailure } from "./FetchFailure.ts"
import * as HostPace from "./HostPace.ts"
import type { JsonFetchOptions } from "./JsonFetchOptions.ts"
import { parseRetryAfter } from "./RetryAfter.ts"
import { readJson } from "./readJson.ts"
import { afterRedirect, maxRedirects, redirectTarget, tooManyRedirects } from "./redirects.ts"
import * as WebClient from "./WebClient.ts"

const isPassing = (status: number): boolean =>
  status === 408 || status === 425 || status === 429 || status >= 500

const checkStatus = Effect.fnUntraced(function* (
  { headers, status }: HttpClientResponse.HttpClientResponse,
  url: URL
) {
  if (status >= 200 && status < 300) return
  const retryAfter = parseRetryAfter(headers["retry-after"], yield* Clock.currentTimeMillis)
  return yield* new FetchFailure({
    message: `${withoutSecrets(url.href)} returned status ${status}`,
    retryable: isPassing(status),
    ...(retryAfter !== undefined && { retryAfter })
  })
})

/** Makes what fetches once: requests, and those that their redirects lead to, within the time-out. */
export const make = Effect.fnUntraced(function* (options: JsonFetchOptions) {
  const { allowPrivate, maxBytes, resolve } = options
  const anyone = yield* WebClient.make({ publicOnly: false })
  const strangers = yield* WebClient.make({ publicOnly: !allowPrivate, ...(resolve && { resolve }) })
  const pace = HostPace.make(options.interval)

  // One request; the next URL when it redirects. Closing the scope drops what was not read.
  const hop = Effect.fnUntraced(function* (url: URL, trustedOrigin: string | undefined) {
    yield* pace(url.host)
    const response = yield* (url.origin === trustedOrigin ? anyone : strangers)(url)
    const target = yield* redirectTarget(response, url)
    if (target !== undefined) return { target }
    yield* checkStatus(response, url)
    return { json: yield* readJson(response, url, maxBytes) }
  }, Effect.scoped)

  const follow = Effect.fnUntraced(function* (start: URL, trustedOrigin: string | undefined) {
    let url = start
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const { json, target } = yield* hop(url, trustedOrigin).pipe(
        Effect.mapError((failure) => (url === start ? failure : afterRedirect(start, failure)))
      )
      if (target === undefined) return json
      url = target
    }
    return yield* tooManyRedirects(start)
  })

  const timeout = Duration.fromInputUnsafe(options.timeout)
  return (url: URL, trustedOrigin: string | undefined): Effect.Effect<unknown, FetchFailure> =>
    follow(url, trustedOrigin).pipe(
      Effect.timeoutOrElse({
        duration: timeout,
        orElse: () =>
          WebClient.unreachable(url, new Error(`no whole answer within ${Duration.format(timeout)}`))
      })
    )
})
