import { type Authenticated, type Caller, hasRole, type Role } from "@clicks/core/access/Caller"
import { OriginTrust } from "@clicks/core/access/OriginTrust"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { errorResponse } from "../apiResponse.ts"
import { FailureMessage } from "../errors.ts"
import { orInternalFailure } from "../orInternalFailure.ts"
import { Admins, CurrentCaller, MetricsReaders, Readers } from "./AccessApi.ts"
import { Authentication } from "./Authentication.ts"
import { provenAddress, type TrustedProxies } from "./ClientAddress.ts"
import { presentsCredential } from "./Credential.ts"
import { allowReading } from "./ReadingCors.ts"

const unauthorized = errorResponse(401, "Authentication required", { "www-authenticate": "Bearer" })

const forbidden: { readonly [role in Role]: HttpServerResponse.HttpServerResponse } = {
  reader: errorResponse(403, "This needs the role reader or admin"),
  admin: errorResponse(403, "This needs the role admin")
}

type Endpoint = { readonly endpoint: HttpApiEndpoint.Top }
type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** What it takes to judge a request. */
interface Judges {
  readonly authentication: Authentication["Service"]
  readonly trust: OriginTrust["Service"]
  readonly proxies: TrustedProxies
}

// A credential that does not check out is not made good by where the request comes from.
const callerOf = (
  request: HttpServerRequest.HttpServerRequest,
  { authentication, proxies, trust }: Judges
) =>
  presentsCredential(request.headers)
    ? authentication.callerOf(request)
    : trust.callerOf({
        address: provenAddress(request, proxies),
        origin: request.headers["origin"] ?? null
      })

const admit = Effect.fnUntraced(function* <E, R>(
  handle: (caller: Authenticated) => Handler<E, R>,
  role: Role,
  { endpoint }: Endpoint,
  judges: Judges
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const message = Context.get(endpoint.annotations, FailureMessage)
  const found = yield* callerOf(request, judges).pipe(orInternalFailure(message), Effect.result)
  if (found._tag === "Failure") return errorResponse(500, found.failure.error)
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
export const layer = (options: {
  readonly publicMetrics: boolean
  readonly trustedProxies: TrustedProxies
}): Layer.Layer<Readers | Admins | MetricsReaders, never, Authentication | OriginTrust> => {
  const judges = Effect.gen(function* () {
    return {
      authentication: yield* Authentication,
      trust: yield* OriginTrust,
      proxies: options.trustedProxies
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
