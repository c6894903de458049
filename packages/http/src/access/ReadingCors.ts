import { OriginTrust } from "@clicks/core/access/OriginTrust"
import { Effect } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"

type Trust = OriginTrust["Service"]

// In addition to the headers that every page may read.
const exposed = { "access-control-expose-headers": "Click-Notice" }

// Without Access-Control-Allow-Credentials: a page sends its own key or token, never cookies.
const headersFor = Effect.fnUntraced(function* ({ mayRead }: Trust, origin: string | undefined) {
  return {
    // Always sent, so that no cache returns the response for one origin to another.
    vary: "Origin",
    ...(origin !== undefined &&
      (yield* mayRead(origin)) && { "access-control-allow-origin": origin, ...exposed })
  }
})

/** Lets pages of trusted origins read the response to this request, even an error. */
export const allowReading = (trust: Trust): Effect.Effect<void, never, HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const cors = yield* headersFor(trust, headers["origin"])
    yield* HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(HttpServerResponse.setHeaders(response, cors))
    )
  })

// Seconds. Short, since trust may be withdrawn.
const maxAge = "300"

const preflight = Effect.fnUntraced(function* (trust: Trust, origin: string, asked: string | undefined) {
  const cors = yield* headersFor(trust, origin)
  if (!("access-control-allow-origin" in cors)) return undefined
  return HttpServerResponse.empty({
    headers: {
      ...cors,
      "access-control-allow-methods": "GET, HEAD",
      "access-control-max-age": maxAge,
      ...(asked !== undefined && { "access-control-allow-headers": asked })
    }
  })
})

/**
 * Answers preflights for the paths that readers may read, if the origin is trusted. A preflight carries no credential, so the origin alone
 * decides.
 */
export const withPreflight =
  (paths: ReadonlyArray<RegExp>) =>
  <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers, method, url }) => {
      const wanted = headers["access-control-request-method"]
      const { origin } = headers
      if (method !== "OPTIONS" || origin === undefined || (wanted !== "GET" && wanted !== "HEAD")) return app
      const path = url.split(/[?#]/, 1)[0] ?? url
      if (!paths.some((pattern) => pattern.test(path))) return app
      return Effect.flatMap(
        OriginTrust.use((trust) => preflight(trust, origin, headers["access-control-request-headers"])),
        (answer): typeof app => (answer === undefined ? app : Effect.succeed(answer))
      )
    })
