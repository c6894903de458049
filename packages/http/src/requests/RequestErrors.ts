import { HttpApiMiddleware } from "effect/http-api"
import { BadRequest } from "../responses/errors.ts"

/** Answers a request that does not fit its endpoint's declaration with 400 `{error}`. */
export class RequestErrors extends HttpApiMiddleware.Service<RequestErrors>()("@clicks/http/RequestErrors", {
  error: BadRequest
}) {}
