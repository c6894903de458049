import { parseInput } from "@clicks/core/tasks/parseInput"
import { Effect, type Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { noticeIgnoredFields } from "../requests/ignoredFields.ts"
import { jsonBody } from "../requests/jsonBody.ts"
import { BadRequest } from "../responses/errors.ts"

/** What a request about tasks may take, in bytes, as sent and unpacked. */
export const maxTaskBytes = 1_048_576

/** Reads the body as JSON of this form. Whatever is wrong with it is answered with a sentence. */
export const taskBody = Effect.fnUntraced(function* <A, I>(
  request: HttpServerRequest.HttpServerRequest,
  schema: Schema.Codec<A, I>
) {
  const value = yield* jsonBody(request, maxTaskBytes)
  yield* noticeIgnoredFields(schema, value)
  return yield* Effect.fromResult(parseInput(schema, value)).pipe(
    Effect.mapError(({ message }) => new BadRequest({ error: message }))
  )
})
