import type { ClickLink } from "@clicks/core/clicks/links/ClickLink"
import * as ClickLinks from "@clicks/core/clicks/links/ClickLinks"
import { ClickRecorder } from "@clicks/core/clicks/recording/ClickRecorder"
import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { Authentication } from "../../access/Authentication.ts"
import { apiHeaders } from "../../responses/apiResponse.ts"
import { invalidLink, page } from "../../responses/linkPages.ts"
import { originOf } from "../recording/clickOrigin.ts"
import type { RecordingOptions } from "../recording/RecordingOptions.ts"

type Request = HttpServerRequest.HttpServerRequest

const unavailable = page(
  503,
  "This link cannot be opened right now",
  "The service is starting. Try again in a few seconds.",
  { "retry-after": "10" }
)

const purposes = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const

// A browser that has prefetched the link requests it again when the user follows it.
const isPrefetch = ({ headers, method }: Request): boolean =>
  method === "HEAD" || purposes.some((name) => /\b(prefetch|preview)\b/i.test(headers[name] ?? ""))

const redirect = (to: string, headers: Readonly<Record<string, string>>) =>
  HttpServerResponse.empty({
    status: 302,
    headers: {
      ...apiHeaders,
      location: to,
      // Hides from the destination the path of a private page or mail that shows the link.
      "referrer-policy": "strict-origin-when-cross-origin",
      "x-robots-tag": "noindex, nofollow",
      ...headers
    }
  })

const encoder = new TextEncoder()

const make = Effect.fnUntraced(function* ({ trustedProxies }: RecordingOptions) {
  const recorder = yield* ClickRecorder
  const authentication = yield* Authentication
  const links = yield* ClickLinks.ClickLinks

  /** Records the click and returns the headers with its outcome. Never fails: the user is redirected in any case. */
  const record = Effect.fnUntraced(
    function* ({ to: _, ...body }: ClickLink, request: Request) {
      const found = originOf(request, trustedProxies, authentication)
      const origin = Effect.isEffect(found) ? yield* found : found
      const original = () => encoder.encode(JSON.stringify(body))
      const { id, outcome } = yield* recorder.record({ body, origin, original })
      return { "click-id": id, "click-receipt": outcome as string }
    },
    Effect.catchCause((cause) =>
      Effect.as(Effect.logError("Recording the click of a link failed", cause), {
        "click-receipt": "dropped"
      })
    )
  )

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { token = "" } = yield* HttpRouter.params
    const link = yield* links.open(token)
    if (Option.isNone(link)) return invalidLink
    return redirect(link.value.to, isPrefetch(request) ? {} : yield* record(link.value, request))
  }).pipe(Effect.catchTag("LinksUnavailable", () => Effect.succeed(unavailable)))
})

/** Follows click links. Not served from its declaration, because it answers people with pages. */
export const layer = (options: RecordingOptions) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      // Not interruptible: the click is recorded even if the client disconnects.
      yield* router.add("GET", "/r/:token", yield* make(options), { uninterruptible: true })
    })
  ).pipe(Layer.provide(ClickLinks.layer))
