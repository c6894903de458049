import { Context, Schema } from "effect"
import { HttpApi, type HttpApiGroup, HttpApiMiddleware, OpenApi } from "effect/http-api"
import { BadRequest, InternalFailure } from "../responses/errors.ts"

/** The error message with which an endpoint responds with 500. The cause is logged. */
export const FailureMessage = Context.Reference<string>("@clicks/http/FailureMessage", {
  defaultValue: () => "Internal error. See the service's log"
})

/**
 * The annotations of an endpoint. `failure` is its `FailureMessage`. By default, it is derived from the summary, as in `Failed to list
 * tasks`.
 */
export const described = ({
  failure,
  summary,
  ...annotations
}: Parameters<typeof OpenApi.annotations>[0] & { readonly summary: string; readonly failure?: string }) =>
  Context.add(
    OpenApi.annotations({ summary, ...annotations }),
    FailureMessage,
    failure ?? `Failed to ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`
  )

type JsonSchema = Readonly<Record<string, Schema.Json>> | false

/**
 * A query parameter. The declaration accepts any text, so that core validates it and writes the error message. `content` documents what the
 * text must be; `false` omits the parameter from the documentation.
 */
export const parameter = (description: string, content: JsonSchema) =>
  Schema.optionalKey(Schema.String.annotate({ description, contentSchema: content }))

/** A query parameter that is any text. */
export const text = (description: string, example: string) =>
  parameter(description, { type: "string", examples: [example] })

/** A query parameter that may be repeated. */
export const repeatable = (description: string, content: JsonSchema) =>
  Schema.optionalKey(
    Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate({
      description,
      contentSchema: content
    })
  )

/** The number of rows to return. */
export const limit = (description: string, maximum: number, byDefault: number) =>
  parameter(description, { type: "integer", minimum: 1, maximum, default: byDefault })

/** The number of rows to skip. */
export const offset = (description: string) =>
  parameter(description, { type: "integer", minimum: 0, default: 0 })

/**
 * Lists unknown query parameters in `Click-Notice`. Responds with 400 to a request that does not match the declaration, and with 500 and
 * the endpoint's `FailureMessage` to a defect, which is logged. Expected errors pass unchanged.
 */
export class EndpointRules extends HttpApiMiddleware.Service<EndpointRules>()("@clicks/http/EndpointRules", {
  error: [BadRequest, InternalFailure]
}) {}

/** An API of one group: handles its endpoints without importing the whole API. */
export const apiOf = <Group extends HttpApiGroup.Constraint>(group: Group) =>
  HttpApi.make("clicks").add(group).middleware(EndpointRules)
