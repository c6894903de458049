import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** The origins whose pages may record clicks: all of them, or those listed (`https://shop.example`). */
export type CorsOrigins = "*" | ReadonlyArray<string>

type Headers = Readonly<Record<string, string>>

const exposed = { "access-control-expose-headers": "Click-Id, Click-Receipt, Click-Notice" }

/** Makes something of the headers that let the page at an origin read an answer: once for each origin. */
export const perOrigin = <A>(
  origins: CorsOrigins,
  make: (cors: Headers) => A
): ((origin: string | undefined) => A) => {
  if (origins === "*") {
    const everybody = make({ "access-control-allow-origin": "*", ...exposed })
    return () => everybody
  }
  const nobody = make({ vary: "Origin" })
  const known = new Map(
    origins.map((origin) => [
      origin,
      make({ "access-control-allow-origin": origin, vary: "Origin", ...exposed })
    ])
  )
  return (origin) => (origin === undefined ? nobody : (known.get(origin) ?? nobody))
}

/**
 * Answers a preflight, and any other OPTIONS. Pages of other origins record without the browser's credentials. Any request
 * header is allowed: a tracing library that adds one must not cost a click.
 */
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
