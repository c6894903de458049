import { type Caller, hasRole, type Role } from "@clicks/core/access/Caller"
import { OriginTrust } from "@clicks/core/access/OriginTrust"
import { Context, Effect, Layer, type Types } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { errorResponse } from "../responses/apiResponse.ts"
import { limitedWarning } from "../server/limitedWarning.ts"
import { Admins, Readers } from "./AccessApi.ts"
import { Authentication, type CredentialUnchecked, presentsCredential } from "./Authentication.ts"
import { provenAddress, type TrustedProxies } from "./ClientAddress.ts"
import { isOwnHost, type OwnHosts } from "./OwnHosts.ts"
import { allowReading } from "./ReadingCors.ts"

const unauthorized = errorResponse(401, "Authentication required", { "www-authenticate": "Bearer" })

const unavailable = errorResponse(503, "Authentication is temporarily unavailable. Try again in 10 seconds", {
  "retry-after": "10"
})

const forbidden: { readonly [role in Role]: HttpServerResponse.HttpServerResponse } = {
  reader: errorResponse(403, "Requires the role reader or admin"),
  admin: errorResponse(403, "Requires the role admin")
}

export interface AccessControlOptions {
  /** Whether `/metrics` requires no credential. */
  readonly publicMetrics: boolean
  readonly trustedProxies: TrustedProxies
  /** The address that the server listens on. */
  readonly host: string
  /** The hosts that requests from trusted addresses must name; by default `localhost` and the listening address. */
  readonly hosts?: OwnHosts | undefined
}

/** Whether the caller of a request that was admitted would be admitted now. It is, as long as its credential cannot be checked. */
export const IsStillAdmitted = Context.Reference<Effect.Effect<boolean>>(
  "@clicks/http/access/IsStillAdmitted",
  { defaultValue: () => Effect.succeed(true) }
)

type Handled = Effect.Effect<HttpServerResponse.HttpServerResponse, Types.unhandled>
type Guarded = { readonly endpoint: HttpApiEndpoint.Top }
type Request = HttpServerRequest.HttpServerRequest

const foreignHost = (address: string | null, host = "") =>
  `Refused a request without a credential from the trusted address ${address}: its Host is ${JSON.stringify(host.slice(0, 100))}. If that is a name of this service, add it to CLICKS_HOSTS`

/** Finds the caller that a request without a credential is trusted to be. */
const trustedCallers = Effect.fnUntraced(function* (options: AccessControlOptions) {
  const trust = yield* OriginTrust
  const warn = limitedWarning()
  return Effect.fnUntraced(function* (request: Request) {
    const address = provenAddress(request, options.trustedProxies)
    const origin = request.headers["origin"] ?? null
    const caller = yield* trust.callerOf({ address, origin })
    if (caller._tag === "Anonymous" || isOwnHost(request, options)) return caller
    const byOrigin = yield* trust.callerOf({ address: null, origin })
    if (byOrigin._tag === "Anonymous") yield* warn(foreignHost(address, request.headers["host"]))
    return byOrigin
  })
})

const make = Effect.fnUntraced(function* (options: AccessControlOptions) {
  const { callerOf } = yield* Authentication
  const trust = yield* OriginTrust
  const trustedCaller = yield* trustedCallers(options)

  // Trust in the address does not make up for an invalid credential.
  const find = (request: Request): Effect.Effect<Caller, CredentialUnchecked> =>
    presentsCredential(request.headers) ? callerOf(request) : trustedCaller(request)

  const admit = Effect.fnUntraced(function* (role: Role, app: Handled) {
    const request = yield* HttpServerRequest.HttpServerRequest
    const caller = yield* Effect.orElseSucceed(find(request), () => undefined)
    if (caller === undefined) return unavailable
    if (caller._tag === "Anonymous") return unauthorized
    if (!hasRole(caller, role)) return forbidden[role]
    const isStillAdmitted = Effect.match(find(request), {
      onSuccess: (now) => hasRole(now, role),
      onFailure: () => true
    })
    return yield* Effect.provideService(app, IsStillAdmitted, isStillAdmitted)
  })

  // `callerOf` reads both schemes, and any response ends effect's search, so the second entry is never called.
  const schemes = <M>(middleware: M) => ({ bearer: middleware, apiKey: middleware })
  const readers = schemes((app: Handled, { endpoint }: Guarded) =>
    options.publicMetrics && endpoint.path === "/metrics"
      ? app
      : Effect.andThen(allowReading(trust), admit("reader", app))
  )
  const admins = schemes((app: Handled) => admit("admin", app))
  return Context.make(Readers, readers).pipe(Context.add(Admins, admins))
})

/** Guards the endpoints that declare who may use them. */
export const layer = (
  options: AccessControlOptions
): Layer.Layer<Readers | Admins, never, Authentication | OriginTrust> => Layer.effectContext(make(options))
