import { Effect, Layer, SchemaAST } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { addNotice } from "../responses/addNotice.ts"
import { nameList, orMeant } from "../responses/clickNotice.ts"
import { ParameterNotices } from "./ParameterNotices.ts"

const namesOf = ({ query }: HttpApiEndpoint.Top): ReadonlyArray<string> =>
  query !== undefined && SchemaAST.isObjects(query.ast)
    ? query.ast.propertySignatures.map(({ name }) => String(name))
    : []

const noticeOf = (given: ReadonlyArray<string>, known: ReadonlyArray<string>) => {
  const unknown = given.filter((name) => !known.includes(name))
  if (unknown.length === 0) return undefined
  const noun = unknown.length === 1 ? "parameter" : "parameters"
  return `Unknown ${noun}: ${nameList(unknown, orMeant(known))}`
}

export const layer: Layer.Layer<ParameterNotices> = Layer.succeed(ParameterNotices, (app, { endpoint }) => {
  const known = namesOf(endpoint)
  if (known.length === 0) return app
  return Effect.flatMap(HttpServerRequest.ParsedSearchParams, (parameters) => {
    const notice = noticeOf(Object.keys(parameters), known)
    return notice === undefined ? app : Effect.andThen(addNotice(notice), app)
  })
})
