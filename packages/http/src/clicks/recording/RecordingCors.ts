import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** The origins whose pages may record clicks: all of them, or those listed (`https://shop.example`). */
export type CorsOrigins = "*" | ReadonlyArray<string>

type Headers = Readonly<Record<string, string>>

// A page that sends cookies along (`sendBeacon` always does) may record only if the answer names its origin and allows
// credentials; `*` does not do. That is safe: recording identifies callers by Authorization and X-API-Key alone, which a
// browser never adds by itself, and the answer says nothing but what became of the click.
const allowing = (origin: string): Headers => ({
  "access-control-allow-origin": origin,
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": "Click-Id, Click-Receipt, Click-Notice",
  vary: "Origin"
})

const naming: Headers = { vary: "Origin" }

/** The CORS headers of an answer to a page of this origin. */
export const corsHeaders = (origins: CorsOrigins, origin: string | undefined): Headers =>
  origin && (origins === "*" || origins.includes(origin)) ? allowing(origin) : naming

/** Answers a preflight, and any other OPTIONS. Any request header is allowed: a tracing library that adds one must not cost a click. */
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
