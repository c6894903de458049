import { type Authenticated, type Caller, hasRole, type Role } from "@clicks/core/access/Caller"
import { OriginTrust } from "@clicks/core/access/OriginTrust"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { errorResponse } from "../responses/apiResponse.ts"
import { FailureMessage } from "../responses/errors.ts"
import { orInternalFailure } from "../responses/orInternalFailure.ts"
import { limitedWarning } from "../server/limitedWarning.ts"
import { Admins, CurrentCaller, MetricsReaders, Readers } from "./AccessApi.ts"
import { Authentication } from "./Authentication.ts"
import { provenAddress, type TrustedProxies } from "./ClientAddress.ts"
import { presentsCredential } from "./Credential.ts"
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

type Endpoint = { readonly endpoint: HttpApiEndpoint.Top }
type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

export interface AccessControlOptions {
  readonly publicMetrics: boolean
  readonly trustedProxies: TrustedProxies
  /** The address that the server listens on. */
  readonly host: string
  /** The hosts that requests from trusted addresses must name; by default `localhost` and the listening address. */
  readonly hosts?: OwnHosts
}

/** What it takes to judge a request. */
interface Judges {
  readonly authentication: Authentication["Service"]
  readonly trust: OriginTrust["Service"]
  readonly options: AccessControlOptions
  readonly warn: ReturnType<typeof limitedWarning>
}

const foreignHost = (address: string | null, host = "") =>
  `Refused a request without a credential from the trusted address ${address}: its Host is ${JSON.stringify(host.slice(0, 100))}. If that is a name of this service, add it to CLICKS_HOSTS`

const trustedCaller = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  { options, trust, warn }: Judges
) {
  const address = provenAddress(request, options.trustedProxies)
  const origin = request.headers["origin"] ?? null
  const caller = yield* trust.callerOf({ address, origin })
  if (caller._tag === "Anonymous" || isOwnHost(request, options)) return caller
  const byOrigin = yield* trust.callerOf({ address: null, origin })
  if (byOrigin._tag === "Anonymous") yield* warn(foreignHost(address, request.headers["host"]))
  return byOrigin
})

// A credential that does not check out is not made good by where the request comes from.
const callerOf = (request: HttpServerRequest.HttpServerRequest, judges: Judges) =>
  presentsCredential(request.headers)
    ? judges.authentication.callerOf(request)
    : trustedCaller(request, judges)

const admit = Effect.fnUntraced(function* <E, R>(
  handle: (caller: Authenticated) => Handler<E, R>,
  role: Role,
  { endpoint }: Endpoint,
  judges: Judges
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const message = Context.get(endpoint.annotations, FailureMessage)
  const found = yield* callerOf(request, judges).pipe(
    Effect.catchTag("CredentialUnchecked", () => Effect.succeed("unchecked" as const)),
    orInternalFailure(message),
    Effect.result
  )
  if (found._tag === "Failure") return errorResponse(500, found.failure.error)
  if (found.success === "unchecked") return unavailable
  const caller: Caller = found.success
  if (caller._tag === "Anonymous") return unauthorized
  return hasRole(caller, role) ? yield* handle(caller) : forbidden[role]
})

// One look at the request serves both schemes. An answer, also one that refuses, ends the search, so the second entry is
// never asked; it is there because the declaration names two schemes.
const schemes = <M>(middleware: M) => ({ bearer: middleware, apiKey: middleware })

const admitted =
  (role: Role, judges: Judges) =>
  <E, R>(app: Handler<E, R | CurrentCaller>, endpoint: Endpoint) =>
    admit((caller) => Effect.provideService(app, CurrentCaller, caller), role, endpoint, judges)

const readers = (judges: Judges) => {
  const admitReader = admitted("reader", judges)
  return schemes(<E, R>(app: Handler<E, R | CurrentCaller>, endpoint: Endpoint) =>
    Effect.andThen(allowReading(judges.trust), admitReader(app, endpoint))
  )
}

const metricsReaders = (judges: Judges, isPublic: boolean) =>
  schemes(<E, R>(app: Handler<E, R>, endpoint: Endpoint) =>
    isPublic ? app : admit(() => app, "reader", endpoint, judges)
  )

/** Guards the endpoints that declare who may use them. */
export const layer = (
  options: AccessControlOptions
): Layer.Layer<Readers | Admins | MetricsReaders, never, Authentication | OriginTrust> => {
  const judges = Effect.gen(function* () {
    return {
      authentication: yield* Authentication,
      trust: yield* OriginTrust,
      options,
      warn: limitedWarning()
    }
  })
  return Layer.mergeAll(
    Layer.effect(Readers, Effect.map(judges, readers)),
    Layer.effect(
      Admins,
      Effect.map(judges, (judges) => schemes(admitted("admin", judges)))
    ),
    Layer.effect(
      MetricsReaders,
      Effect.map(judges, (judges) => metricsReaders(judges, options.publicMetrics))
    )
  )
}
