import type { Parameter, ParameterSet } from "@clicks/core/values/Parameter"
import { Context, Record, Schema } from "effect"
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

type JsonSchema = { readonly [name: string]: Schema.Json } | false

/**
 * A query parameter. The declaration accepts any text, so that core validates it and writes the error message. `content` documents what the
 * text must be; `false` omits the parameter from the documentation.
 */
export const parameter = (description: string, content: JsonSchema) =>
  Schema.optionalKey(Schema.String.annotate({ description, contentSchema: content }))

const contentOf = ({ most, schema }: Parameter): JsonSchema => {
  const { examples, ...content }: { readonly [name: string]: Schema.Json } = JSON.parse(
    JSON.stringify(schema)
  )
  if (most === undefined) return { ...content, ...(examples !== undefined && { examples }) }
  return { type: "array", items: content, examples: [examples ?? []] }
}

const once = (declared: Parameter) => parameter(declared.description, contentOf(declared))
const repeatable = (declared: Parameter) =>
  Schema.optionalKey(
    Schema.Union([Schema.String, Schema.Array(Schema.String)]).annotate({
      description: declared.description,
      contentSchema: contentOf(declared)
    })
  )

type IsList<Declared> = Declared extends Parameter<ReadonlyArray<string> | undefined> ? true : false

/** The schemas of declared query parameters. */
export const query = <Declared extends ParameterSet>(declared: Declared) =>
  Record.map(declared as ParameterSet, (each) =>
    each.most === undefined ? once(each) : repeatable(each)
  ) as {
    readonly [Name in keyof Declared]: IsList<Declared[Name]> extends true
      ? ReturnType<typeof repeatable>
      : ReturnType<typeof once>
  }

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
