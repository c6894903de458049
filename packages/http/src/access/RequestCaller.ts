import { anonymous, authenticated, type Caller } from "@clicks/core/access/Caller"
import { OriginTrust } from "@clicks/core/access/OriginTrust"
import { Context, Data, Effect, Layer, Option, type Redacted } from "effect"
import type { HttpServerRequest } from "effect/http"
import { errorResponse, tryLater } from "../responses/apiResponse.ts"
import { limitedWarning } from "../server/limitedWarning.ts"
import { Authentication, type CredentialUnchecked, presentsCredential } from "./Authentication.ts"
import { provenAddress, type TrustedProxies } from "./ClientAddress.ts"
import { Logins } from "./Logins.ts"
import { isOwnHost, type OwnHosts } from "./OwnHosts.ts"
import { tokenOf } from "./SessionCookie.ts"

export interface RequestCallerOptions {
  readonly trustedProxies: TrustedProxies
  /** The address that the server listens on. */
  readonly host: string
  /** The hosts that requests with a session or from trusted addresses must name; by default `localhost` and the listening address. */
  readonly hosts?: OwnHosts | undefined
}

/** The request must not use its session. */
export class SessionRefused extends Data.TaggedError("SessionRefused")<{ readonly message: string }> {}

/** Responds with 401. */
export const unauthorized = (message: string) => errorResponse(401, message, { "www-authenticate": "Bearer" })

/** The responses to requests whose caller cannot be determined: 503 or 403. */
export const callerRefusals = {
  CredentialUnchecked: () =>
    Effect.succeed(tryLater("Authentication is temporarily unavailable. Try again in 10 seconds")),
  SessionRefused: ({ message }: { readonly message: string }) => Effect.succeed(errorResponse(403, message))
}

interface Identified {
  readonly caller: Caller
  /** When the session ends; null without one. */
  readonly expires_at: Date | null
}

/** Who is logged in, in the form that `SessionApi` returns. */
export const sessionOf = ({ caller, expires_at }: Identified) =>
  caller._tag === "Anonymous"
    ? { user_id: null, role: null, expires_at }
    : { user_id: caller.userId, role: caller.role, expires_at }

type Request = HttpServerRequest.HttpServerRequest

/** Identifies the caller of a request: by its credential, or else its session, or else its trusted address or origin. */
export class RequestCaller extends Context.Service<
  RequestCaller,
  { readonly identify: (request: Request) => Effect.Effect<Identified, CredentialUnchecked | SessionRefused> }
>()("@clicks/http/access/RequestCaller") {}

const hostOf = ({ headers }: Request) => JSON.stringify((headers["host"] ?? "").slice(0, 100))

const foreignHost = (address: string | null, request: Request) =>
  `Refused a request without a credential from the trusted address ${address}: its Host is ${hostOf(request)}. If that is a name of this service, add it to CLICKS_HOSTS`

/** Determines the caller of a request without a credential from its address or origin, if that is trusted. */
const trustedCallers = Effect.fnUntraced(function* (options: RequestCallerOptions) {
  const trust = yield* OriginTrust
  const warn = limitedWarning()
  return Effect.fnUntraced(function* (request: Request) {
    const address = provenAddress(request, options.trustedProxies)
    const origin = request.headers["origin"] ?? null
    const caller = yield* trust.callerOf({ address, origin })
    if (caller._tag === "Anonymous" || isOwnHost(request, options)) return caller
    const byOrigin = yield* trust.callerOf({ address: null, origin })
    if (byOrigin._tag === "Anonymous") yield* warn(foreignHost(address, request))
    return byOrigin
  })
})

const safeMethods = ["GET", "HEAD"]

/** Why a request must not use the browser's session; undefined if it may. Any page can make the browser send a request. */
export const refusalOf = (
  request: Request,
  options: Pick<RequestCallerOptions, "host" | "hosts">
): SessionRefused | undefined => {
  if (!isOwnHost(request, options)) {
    const message = `The dashboard cannot be used under ${hostOf(request)}. If that is a name of this service, add it to CLICKS_HOSTS`
    return new SessionRefused({ message })
  }
  // No page of another origin can send the header here: only the preflights of recording allow it, and recording ignores sessions.
  if (safeMethods.includes(request.method) || request.headers["x-clicks-page"] === "1") return undefined
  return new SessionRefused({ message: "Changes with a session require the header X-Clicks-Page: 1" })
}

const make = Effect.fnUntraced(function* (options: RequestCallerOptions) {
  const { callerOf } = yield* Authentication
  const logins = yield* Logins
  const trustedCaller = yield* trustedCallers(options)

  const inSession = Effect.fnUntraced(function* (request: Request, token: Redacted.Redacted) {
    const refusal = refusalOf(request, options)
    if (refusal !== undefined) return yield* refusal
    return Option.match(yield* logins.find(token), {
      onNone: (): Identified => ({ caller: anonymous, expires_at: null }),
      onSome: ({ expires_at, key, role, user_id }) => ({
        caller: authenticated(user_id, role, key),
        expires_at
      })
    })
  })

  const identify = Effect.fnUntraced(function* (request: Request) {
    // A trusted address does not make up for an invalid credential.
    if (presentsCredential(request.headers)) return { caller: yield* callerOf(request), expires_at: null }
    const token = tokenOf(request, options.trustedProxies)
    if (token !== undefined) return yield* inSession(request, token)
    return { caller: yield* trustedCaller(request), expires_at: null }
  })

  return RequestCaller.of({ identify })
})

export const layer = (
  options: RequestCallerOptions
): Layer.Layer<RequestCaller, never, Authentication | Logins | OriginTrust> =>
  Layer.effect(RequestCaller, make(options))
