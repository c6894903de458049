import { HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { Forbidden, Unauthorized, Unavailable } from "../responses/errors.ts"

const bearer = HttpApiSecurity.bearer.pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "An API key (`clk_…`), or a JSON Web Token when the service is configured for them. Takes precedence over X-API-Key."
  )
)
const apiKey = HttpApiSecurity.apiKey({ key: "X-API-Key", in: "header" }).pipe(
  HttpApiSecurity.annotate(OpenApi.Description, "Same credentials, for clients that cannot set Authorization")
)
const session = HttpApiSecurity.apiKey({ key: "clicks_session", in: "cookie" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "The session of the dashboard, created by POST /api/session. Over TLS, the cookie is called __Host-clicks_session. If the URL of the service has a port, _ and the port are appended, as in clicks_session_3000. Requests other than GET and HEAD also require the header X-Clicks-Page: 1. Ignored in requests with another credential."
  )
)

/** The header that carries the token of a share link. */
export const shareHeader = "X-Clicks-Share"

const share = HttpApiSecurity.apiKey({ key: shareHeader, in: "header" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "The token of a share link. The filter of the link replaces the filter parameters of the request. Takes precedence over all other credentials."
  )
)

const errors = [Unauthorized, Forbidden, Unavailable] as const
const options = { error: errors, security: { bearer, apiKey, session } } as const

/** Admits readers and admins. */
export class Readers extends HttpApiMiddleware.Service<Readers>()("@clicks/http/access/Readers", options) {}

/** Admits admins. */
export class Admins extends HttpApiMiddleware.Service<Admins>()("@clicks/http/access/Admins", options) {}

/** Readers can read this path, but pages of trusted origins cannot: it shows the operation of the service, not clicks. */
export const metricsPath = "/metrics"

/** Admits readers, admins, and requests with a share link. The filter of the link then replaces the filter of the request. */
export class Viewers extends HttpApiMiddleware.Service<Viewers>()("@clicks/http/access/Viewers", {
  error: errors,
  security: { bearer, apiKey, session, share }
}) {}
