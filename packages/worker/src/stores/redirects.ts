import { withoutSecrets } from "@clicks/core/stores/HttpUrl"
import { Effect } from "effect"
import type { HttpClientResponse } from "effect/http"
import { FetchFailure } from "./FetchFailure.ts"

const redirections = new Set([301, 302, 303, 307, 308])

const refuse = (url: URL, what: string) =>
  new FetchFailure({ message: `${withoutSecrets(url.href)} redirects ${what}`, retryable: false })

/** Whether it is a URL for a web client. */
export const isWeb = (url: URL): boolean => url.protocol === "http:" || url.protocol === "https:"

/** Where the answer sends to; undefined when it does not. Only to `http` and `https`. */
export const redirectTarget = Effect.fnUntraced(function* (
  response: HttpClientResponse.HttpClientResponse,
  from: URL
) {
  const location = response.headers["location"]
  if (!redirections.has(response.status) || location === undefined) return undefined
  const target = URL.parse(location, from.href)
  if (target !== null && isWeb(target)) return target
  return yield* refuse(from, "to something that is not an http or https URL")
})

/** How many times an answer may point elsewhere. */
export const maxRedirects = 5

export const tooManyRedirects = (start: URL) => refuse(start, `more than ${maxRedirects} times`)

/** A failure at the place to which a URL redirected. */
export const afterRedirect = (start: URL, { cause, message, retryable, retryAfter }: FetchFailure) =>
  new FetchFailure({
    message: `${withoutSecrets(start.href)} redirects: ${message}`,
    retryable,
    ...(retryAfter !== undefined && { retryAfter }),
    cause
  })
