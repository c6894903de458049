import { decodeBody } from "@clicks/core/values/InvalidInput"
import { Effect, type Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { jsonBody } from "../requests/jsonBody.ts"
import { orBadRequest } from "../responses/expectedErrors.ts"

const maxBytes = 1_048_576

/** Reads a JSON body of at most 1 MiB, compressed and decompressed. Fails with 400 if it does not fit the schema. */
export const taskBody = <A, I>(request: HttpServerRequest.HttpServerRequest, schema: Schema.Codec<A, I>) =>
  Effect.flatMap(jsonBody(request, schema, maxBytes), (value) => orBadRequest(decodeBody(schema, value)))
