import { answerWithin } from "@clicks/core/answerWithin"
import { describeIssue } from "@clicks/core/values/InvalidInput"
import { Cause, Context, Duration, Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiError } from "effect/http-api"
import { EndpointRules, FailureMessage } from "../openapi/declaration.ts"
import { errorResponse } from "../responses/apiResponse.ts"
import { noticeUnknown } from "./ignoredFields.ts"

// Reports only the first issue: clients fix one at a time.
const badRequest = (error: HttpApiError.HttpApiSchemaError) =>
  Effect.map(HttpServerRequest.ParsedSearchParams, (parameters) => {
    const repeated = Object.entries(parameters).find(([, value]) => Array.isArray(value))?.[0]
    const message =
      error.kind === "Query" && repeated !== undefined
        ? `${repeated} must be given only once`
        : describeIssue(error.cause.issue)
    return errorResponse(400, message)
  })

const isRequestError = (error: unknown): error is HttpApiError.HttpApiSchemaError =>
  HttpApiError.HttpApiSchemaError.is(error) && error.kind !== "Body" && error.kind !== "ResponseHeaders"

/**
 * The maximum time until a response begins. A database that hangs does not respond to a statement, not even with a timeout, and each
 * statement holds a connection. Longer than statements may run, and shorter than `silentAtMost`, after which the connection would be closed
 * without a response.
 */
export const LongestWait = Context.Reference<Duration.Duration>("@clicks/http/LongestWait", {
  defaultValue: () => Duration.seconds(100)
})

const inTime = <A, E, R>(app: Effect.Effect<A, E, R>) =>
  Effect.flatMap(LongestWait, (duration) =>
    answerWithin(app, duration, () => Effect.die(new Error(`No result within ${Duration.format(duration)}`)))
  )

/** Applies `EndpointRules`. */
export const layer: Layer.Layer<EndpointRules> = Layer.succeed(EndpointRules, (app, { endpoint }) =>
  Effect.flatMap(HttpServerRequest.ParsedSearchParams, (given) =>
    noticeUnknown("Unknown parameter", endpoint.query, given)
  ).pipe(
    Effect.andThen(inTime(app)),
    Effect.catchCause((cause) => {
      const error: unknown = Option.getOrUndefined(Cause.findErrorOption(cause))
      if (isRequestError(error)) return badRequest(error)
      if (!(Cause.hasDies(cause) || HttpApiError.HttpApiSchemaError.is(error))) return Effect.failCause(cause)
      const message = Context.get(endpoint.annotations, FailureMessage)
      // Logged as a failure, not as a defect: the failure of a port takes one line in the log, a defect has its stack trace.
      return Effect.as(Effect.logError(message, Cause.fail(Cause.squash(cause))), errorResponse(500, message))
    })
  )
)
