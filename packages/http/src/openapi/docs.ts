import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { Api } from "../api.ts"
import { answerCompressed, compressed } from "./compressed.ts"
import { faviconSvg } from "./favicon.ts"

/** `openapi.json` as it is served and kept in the repository. */
export const openApiText = (): string => `${JSON.stringify(OpenApi.fromApi(Api), null, 2)}\n`

const openApi = HttpRouter.use((router) =>
  router.add(
    "GET",
    "/openapi.json",
    HttpServerResponse.text(openApiText(), {
      contentType: "application/json",
      headers: { "x-content-type-options": "nosniff", "access-control-allow-origin": "*" }
    })
  )
)

// The page carries its script and may load nothing else from anywhere: it works without a network, and tells nobody.
const contentSecurityPolicy = [
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

const guarded = HttpRouter.middleware((app) =>
  Effect.map(
    app,
    HttpServerResponse.setHeaders({
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentSecurityPolicy,
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff"
    })
  )
).layer

// The page's own tools share documents with its maker's service; what is here stays here.
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

const bytesOf = ({ body }: HttpServerResponse.HttpServerResponse): Uint8Array =>
  body._tag === "Uint8Array" ? body.body : new Uint8Array()

// The page's script takes 13 MB of memory. Most services are never asked for it, so the first request loads it.
const page = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const scalar = HttpApiScalar.layer(Api, { path: "/docs", scalar: appearance })
    const loaded = yield* Effect.cached(
      Effect.scoped(HttpRouter.toHttpEffect(scalar)).pipe(
        Effect.flatten,
        Effect.flatMap((response) => compressed(bytesOf(response))),
        // The first client may leave before it is there; its successors get what was begun for it.
        Effect.uninterruptible
      )
    )
    yield* router.add("GET", "/docs", Effect.flatMap(loaded, answerCompressed))
  })
).pipe(Layer.provide(guarded))

const favicon = HttpServerResponse.text(faviconSvg, {
  contentType: "image/svg+xml",
  headers: { "cache-control": "public, max-age=86400", "x-content-type-options": "nosniff" }
})

const icons = HttpRouter.use((router) =>
  Effect.forEach(["/favicon.svg", "/favicon.ico"] as const, (path) => router.add("GET", path, favicon))
)

// Whoever opens the address that the service prints at its start wants to know what is here.
const front = HttpRouter.use((router) => router.add("GET", "/", HttpServerResponse.redirect("/docs")))

/** The description of the API: for machines at `/openapi.json`, for people at `/docs`. */
export const layer = Layer.mergeAll(openApi, page, icons, front)
