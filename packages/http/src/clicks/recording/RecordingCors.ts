import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** The origins whose pages may record clicks: all of them, or those listed (`https://shop.example`). */
export type CorsOrigins = "*" | ReadonlyArray<string>

type Headers = Readonly<Record<string, string>>

// Each request names the origin of its page, so any client can add origins. A shop has a few.
const maxRemembered = 256
const longestRemembered = 300

// A page that sends cookies along (`sendBeacon` always does) may record only if the answer names its origin and allows
// credentials; `*` does not do. That is safe: recording identifies callers by Authorization and X-API-Key alone, which a
// browser never adds by itself, and the answer says nothing but what became of the click.
const allowing = (origin: string): Headers => ({
  "access-control-allow-origin": origin,
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": "Click-Id, Click-Receipt, Click-Notice",
  vary: "Origin"
})

/**
 * Makes something of the CORS headers for an origin, once for each origin: the answers are built in advance, as they are
 * sent tens of thousands of times a second.
 */
export const perOrigin = <A>(
  origins: CorsOrigins,
  make: (cors: Headers) => A
): ((origin: string | undefined) => A) => {
  const none = make({ vary: "Origin" })
  const remembered = new Map<string, A>()
  const isAllowed = (origin: string) => origins === "*" || origins.includes(origin)
  return (origin) => {
    if (!origin) return none
    const found = remembered.get(origin)
    if (found !== undefined) return found
    if (!isAllowed(origin)) return none
    const made = make(allowing(origin))
    if (origin.length > longestRemembered) return made
    if (remembered.size === maxRemembered) remembered.clear()
    remembered.set(origin, made)
    return made
  }
}

/** Answers a preflight, and any other OPTIONS. Any request header is allowed: a tracing library that adds one must not cost a click. */
export const preflight = (
  origins: CorsOrigins,
  allow: string
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest> => {
  const headersFor = perOrigin(origins, (cors) => ({
    ...cors,
    allow,
    "access-control-allow-methods": "POST",
    "access-control-max-age": "86400"
  }))
  return Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const asked = headers["access-control-request-headers"]
    return HttpServerResponse.empty({
      headers: {
        ...headersFor(headers["origin"]),
        ...(asked !== undefined && { "access-control-allow-headers": asked })
      }
    })
  })
}
