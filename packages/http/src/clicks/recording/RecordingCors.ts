import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** The origins whose pages may record clicks: all of them, or those listed (`https://shop.example`). */
export type CorsOrigins = "*" | ReadonlyArray<string>

type Headers = Readonly<Record<string, string>>

// A page that sends cookies (`sendBeacon` always does) can record only if the response names its origin and allows credentials; `*` is not
// enough. This is safe: recording identifies callers by Authorization and X-API-Key alone, which a browser never adds by itself, and the
// response contains only the outcome of the click.
const allowing = (origin: string): Headers => ({
  "access-control-allow-origin": origin,
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": "Click-Id, Click-Receipt, Click-Notice",
  vary: "Origin"
})

const naming: Headers = { vary: "Origin" }

/** The CORS headers of a response to a page of this origin. */
export const corsHeaders = (origins: CorsOrigins, origin: string | undefined): Headers =>
  origin && (origins === "*" || origins.includes(origin)) ? allowing(origin) : naming

/**
 * Answers preflights and all other OPTIONS requests. Allows any request header: a tracing library that adds one must not cause the loss of
 * clicks.
 */
export const preflight = (origins: CorsOrigins, allow: string) =>
  Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const asked = headers["access-control-request-headers"]
    return HttpServerResponse.empty({
      headers: {
        ...corsHeaders(origins, headers["origin"]),
        allow,
        "access-control-allow-methods": "POST",
        "access-control-max-age": "86400",
        ...(asked !== undefined && { "access-control-allow-headers": asked })
      }
    })
  })
