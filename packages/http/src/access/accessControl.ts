import { hasRole, type Role } from "@clicks/core/access/Caller"
import { OriginTrust } from "@clicks/core/access/OriginTrust"
import { Context, Effect, Layer, type Types } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { errorResponse } from "../responses/apiResponse.ts"
import { Admins, metricsPath, Readers } from "./AccessApi.ts"
import { allowReading } from "./ReadingCors.ts"
import { callerRefusals, RequestCaller, type RequestCallerOptions, unauthorized } from "./RequestCaller.ts"

const forbidden: { readonly [role in Role]: HttpServerResponse.HttpServerResponse } = {
  reader: errorResponse(403, "Requires the role reader or admin"),
  admin: errorResponse(403, "Requires the role admin")
}

export interface AccessControlOptions extends RequestCallerOptions {
  /** Whether `/metrics` requires no credential. */
  readonly publicMetrics: boolean
}

/** Whether the caller of an admitted request would still be admitted. True if its credential cannot be checked at the moment. */
export const IsStillAdmitted = Context.Reference<Effect.Effect<boolean>>(
  "@clicks/http/access/IsStillAdmitted",
  { defaultValue: () => Effect.succeed(true) }
)

type Handled = Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled>
type Guarded = { readonly endpoint: HttpApiEndpoint.Top }

const make = Effect.fnUntraced(function* ({ publicMetrics }: AccessControlOptions) {
  const { identify } = yield* RequestCaller
  const trust = yield* OriginTrust

  const admit = Effect.fnUntraced(function* (role: Role, app: Handled) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { caller } = yield* identify(request)
    if (caller._tag === "Anonymous") return unauthorized("Authentication required")
    if (!hasRole(caller, role)) return forbidden[role]
    const isStillAdmitted = Effect.match(identify(request), {
      onSuccess: ({ caller: now }) => hasRole(now, role),
      onFailure: () => true
    })
    return yield* Effect.provideService(app, IsStillAdmitted, isStillAdmitted)
  }, Effect.catchTags(callerRefusals))

  // Effect tries one scheme after another until one responds. The first always does, because `identify` considers all schemes, so the
  // others are never called.
  const schemes = <M>(middleware: M) => ({ bearer: middleware, apiKey: middleware, session: middleware })
  const readers = schemes((app: Handled, { endpoint }: Guarded) => {
    if (endpoint.path === metricsPath) return publicMetrics ? app : admit("reader", app)
    return Effect.andThen(allowReading(trust), admit("reader", app))
  })
  const admins = schemes((app: Handled) => admit("admin", app))
  return Context.make(Readers, readers).pipe(Context.add(Admins, admins))
})

/** Guards the endpoints that declare who may use them. */
export const layer = (
  options: AccessControlOptions
): Layer.Layer<Readers | Admins, never, RequestCaller | OriginTrust> => Layer.effectContext(make(options))
