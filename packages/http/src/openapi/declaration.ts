import { Context, Schema } from "effect"
import { HttpApi, type HttpApiGroup, HttpApiMiddleware, OpenApi } from "effect/http-api"
import { BadRequest, InternalFailure } from "../responses/errors.ts"

/** The sentence that an endpoint answers with 500. The cause is logged. */
export const FailureMessage = Context.Reference<string>("@clicks/http/FailureMessage", {
  defaultValue: () => "Internal error. See the service's log"
})

/** The annotations of an endpoint. `failure` is its `FailureMessage`; without it, the summary makes one, such as `Failed to list tasks`. */
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
 * A query parameter. The declaration takes every one as text, so that core judges it and words the error. `content` documents what
 * the text must be; `false` leaves the parameter out of the documentation.
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
 * Names unknown query parameters in `Click-Notice`, answers a request that does not fit the declaration with 400, and a defect with
 * 500: the cause is logged, the client reads the endpoint's `FailureMessage`. Expected errors pass.
 */
export class EndpointRules extends HttpApiMiddleware.Service<EndpointRules>()("@clicks/http/EndpointRules", {
  error: [BadRequest, InternalFailure]
}) {}

/** An API of one group: handles its endpoints without importing the whole API. */
export const apiOf = <Group extends HttpApiGroup.Constraint>(group: Group) =>
  HttpApi.make("clicks").add(group).middleware(EndpointRules)
