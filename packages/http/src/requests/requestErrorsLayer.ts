import { Effect, type Layer, SchemaIssue } from "effect"
import { HttpServerRequest } from "effect/http"
import { type HttpApiError, HttpApiMiddleware } from "effect/http-api"
import { BadRequest } from "../responses/errors.ts"
import { RequestErrors } from "./RequestErrors.ts"

const format = SchemaIssue.makeFormatterStandardSchemaV1()

// The first issue is enough: a person mends one thing at a time.
const sentenceOf = (error: HttpApiError.HttpApiSchemaError): string => {
  const [issue] = format(error.cause.issue).issues
  const path = (issue?.path ?? []).map((segment) =>
    String(typeof segment === "object" ? segment.key : segment)
  )
  const message = issue?.message ?? "is not understood"
  return path.length === 0 ? message : `${path.join(".")}: ${message}`
}

const firstRepeated = (parameters: HttpServerRequest.ParsedSearchParams["Service"]) =>
  Object.entries(parameters).find(([, value]) => Array.isArray(value))?.[0]

const badRequest = Effect.fnUntraced(function* (error: HttpApiError.HttpApiSchemaError) {
  if (error.kind === "Body" || error.kind === "ResponseHeaders") return yield* Effect.fail(error)
  const parameters = yield* HttpServerRequest.ParsedSearchParams
  const repeated = error.kind === "Query" ? firstRepeated(parameters) : undefined
  const message = repeated === undefined ? sentenceOf(error) : `${repeated} must be given only once`
  return yield* new BadRequest({ error: message })
})

/** Says what is wrong with a request: which parameter was repeated, or which field does not fit. */
export const layer: Layer.Layer<RequestErrors> = HttpApiMiddleware.layerSchemaErrorTransform(
  RequestErrors,
  badRequest
)
