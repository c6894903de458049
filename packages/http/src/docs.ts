import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { Api } from "./api.ts"
import { serve } from "./responses/staticFile.ts"

/** The text of `openapi.json`, as served and as committed. */
export const openApiText = (): string => `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`

const nosniff = { "x-content-type-options": "nosniff" }

const contentType = "text/html; charset=utf-8"

// The page contains its script and must load nothing from other hosts: it works without internet access and leaks nothing.
const pageHeaders = {
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'unsafe-inline' 'unsafe-eval'",
    "style-src 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
}

// Disables Scalar's tools that send the document to its maker's service.
const appearance = {
  favicon: "/favicon.svg",
  withDefaultFonts: false,
  defaultOpenAllTags: true,
  showDeveloperTools: "never",
  hideClientButton: true,
  agent: { disabled: true },
  telemetry: false,
  authentication: { preferredSecurityScheme: "bearer" }
}

// The script takes 13 MB of memory and is rarely requested, so the first request loads it. Compressed, its 3.3 MB are 1 MB.
const loadPage = Effect.scoped(
  HttpRouter.toHttpEffect(HttpApiScalar.layer(Api, { path: "/docs", scalar: appearance }))
).pipe(
  Effect.flatten,
  Effect.flatMap(({ body }) =>
    Effect.promise(async () => {
      const plain = body._tag === "Uint8Array" ? body.body : new Uint8Array()
      return serve({ contentType, plain, gzip: await promisify(gzip)(plain) }, pageHeaders)
    })
  ),
  // If the first client disconnects, the page is still loaded for the next one.
  Effect.uninterruptible
)

/** A pointer that clicks, dark on light and light on dark. */
const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <style>path { fill: #1d4ed8; stroke: #1d4ed8 } @media (prefers-color-scheme: dark) { path { fill: #93c5fd; stroke: #93c5fd } }</style>
  <path stroke="none" d="M12 11l16 6.5-7 2.8-2.8 7z"/>
  <path fill="none" style="fill: none" stroke-width="3" stroke-linecap="round" d="M10 3v3M3 10h3M5 5l2 2M15 5l-1.500 1.500M5 15l1.500-1.500"/>
</svg>
`

const icon = HttpServerResponse.text(favicon, {
  contentType: "image/svg+xml",
  headers: { ...nosniff, "cache-control": "public, max-age=86400" }
})

const openApi = Effect.sync(() =>
  HttpServerResponse.text(openApiText(), {
    contentType: "application/json",
    headers: { ...nosniff, "access-control-allow-origin": "*" }
  })
)

/** The description of the API: for machines at `/openapi.json`, for people at `/docs`. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", "/openapi.json", yield* Effect.cached(openApi))
    yield* router.add("GET", "/docs", Effect.flatten(yield* Effect.cached(loadPage)))
    yield* router.add("GET", "/favicon.svg", icon)
    yield* router.add("GET", "/favicon.ico", icon)
  })
)
