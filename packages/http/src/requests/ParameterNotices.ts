import { HttpApiMiddleware } from "effect/http-api"

/** Names query parameters that an endpoint does not know in the answer's `Click-Notice`. */
export class ParameterNotices extends HttpApiMiddleware.Service<ParameterNotices>()(
  "@clicks/http/ParameterNotices"
) {}
