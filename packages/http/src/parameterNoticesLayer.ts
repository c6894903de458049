import { Effect, Layer, SchemaAST } from "effect"
import { HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { clickNotice, headerName, nameList } from "./clickNotice.ts"
import { closestName } from "./closestName.ts"
import { ParameterNotices } from "./ParameterNotices.ts"

const namesOf = ({ query }: HttpApiEndpoint.Top): ReadonlyArray<string> =>
  query !== undefined && SchemaAST.isObjects(query.ast)
    ? query.ast.propertySignatures.map(({ name }) => String(name))
    : []

const described = (known: ReadonlyArray<string>) => (name: string) => {
  const shown = headerName(name)
  const meant = closestName(shown, known)
  return meant === undefined ? shown : `${shown} (did you mean ${meant}?)`
}

const noticeOf = (given: ReadonlyArray<string>, known: ReadonlyArray<string>) => {
  const unknown = given.filter((name) => !known.includes(name))
  if (unknown.length === 0) return undefined
  const noun = unknown.length === 1 ? "parameter" : "parameters"
  return clickNotice(`Unknown ${noun}: ${nameList(unknown, described(known))}`)
}

export const layer: Layer.Layer<ParameterNotices> = Layer.succeed(ParameterNotices, (app, { endpoint }) => {
  const known = namesOf(endpoint)
  if (known.length === 0) return app
  return Effect.flatMap(HttpServerRequest.ParsedSearchParams, (parameters) => {
    const notice = noticeOf(Object.keys(parameters), known)
    if (notice === undefined) return app
    const tell = HttpEffect.appendPreResponseHandler((_, response) =>
      Effect.succeed(HttpServerResponse.setHeaders(response, notice))
    )
    return Effect.andThen(tell, app)
  })
})
