import { Cause, Context, Effect, Layer, Option, SchemaAST, SchemaIssue } from "effect"
import { HttpServerRequest } from "effect/http"
import { type HttpApiEndpoint, HttpApiError } from "effect/http-api"
import { EndpointRules, FailureMessage } from "../openapi/declaration.ts"
import { errorResponse } from "../responses/apiResponse.ts"
import { addNotice, nameList, orMeant } from "../responses/clickNotice.ts"

const parametersOf = ({ query }: HttpApiEndpoint.Top): ReadonlyArray<string> =>
  query !== undefined && SchemaAST.isObjects(query.ast)
    ? query.ast.propertySignatures.map(({ name }) => String(name))
    : []

const noticeUnknownParameters = Effect.fnUntraced(function* (endpoint: HttpApiEndpoint.Top) {
  const known = parametersOf(endpoint)
  if (known.length === 0) return
  const given = Object.keys(yield* HttpServerRequest.ParsedSearchParams)
  const unknown = given.filter((name) => !known.includes(name))
  if (unknown.length === 0) return
  const noun = unknown.length === 1 ? "parameter" : "parameters"
  yield* addNotice(`Unknown ${noun}: ${nameList(unknown, orMeant(known))}`)
})

const format = SchemaIssue.makeFormatterStandardSchemaV1()

// Only the first issue: the client fixes one at a time.
const firstIssue = ({ cause }: HttpApiError.HttpApiSchemaError): string => {
  const [issue] = format(cause.issue).issues
  const path = (issue?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part))
  const message = issue?.message ?? "is invalid"
  return path.length === 0 ? message : `${path.join(".")}: ${message}`
}

const badRequest = (error: HttpApiError.HttpApiSchemaError) =>
  Effect.map(HttpServerRequest.ParsedSearchParams, (parameters) => {
    const repeated = Object.entries(parameters).find(([, value]) => Array.isArray(value))?.[0]
    const message =
      error.kind === "Query" && repeated !== undefined
        ? `${repeated} must be given only once`
        : firstIssue(error)
    return errorResponse(400, message)
  })

const isRequestError = (error: unknown): error is HttpApiError.HttpApiSchemaError =>
  HttpApiError.HttpApiSchemaError.is(error) && error.kind !== "Body" && error.kind !== "ResponseHeaders"

/** Applies `EndpointRules`. */
export const layer: Layer.Layer<EndpointRules> = Layer.succeed(EndpointRules, (app, { endpoint }) =>
  noticeUnknownParameters(endpoint).pipe(
    Effect.andThen(app),
    Effect.catchCause((cause) => {
      const error: unknown = Option.getOrUndefined(Cause.findErrorOption(cause))
      if (isRequestError(error)) return badRequest(error)
      if (!(Cause.hasDies(cause) || HttpApiError.HttpApiSchemaError.is(error))) return Effect.failCause(cause)
      const message = Context.get(endpoint.annotations, FailureMessage)
      // As a failure, not as a defect: what a port fails with is one line in the log, a bug shows where it is.
      return Effect.as(Effect.logError(message, Cause.fail(Cause.squash(cause))), errorResponse(500, message))
    })
  )
)
