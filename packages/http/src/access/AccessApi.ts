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

const options = { error: [Unauthorized, Forbidden, Unavailable], security: { bearer, apiKey } } as const

/** Admits readers and admins. */
export class Readers extends HttpApiMiddleware.Service<Readers>()("@clicks/http/access/Readers", options) {}

/** Admits admins. */
export class Admins extends HttpApiMiddleware.Service<Admins>()("@clicks/http/access/Admins", options) {}

/** What readers read but pages of trusted origins do not: it shows the operation of the service, not clicks. */
export const metricsPath = "/metrics"
