import { parseInput } from "@clicks/core/tasks/parseInput"
import { Effect, type Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type BodyRefused, bytes, json, mediaType, utf8 } from "../clicks/RequestBody.ts"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../errors.ts"

/** What a request about tasks may take, in bytes, as sent and unpacked. */
export const maxTaskBytes = 1_048_576

const toAnswer = ({ error, status }: BodyRefused) => {
  if (status === 413) return new PayloadTooLarge({ error })
  return status === 415 ? new UnsupportedMediaType({ error }) : new BadRequest({ error })
}

/** Reads the body as JSON of this form. Whatever is wrong with it is answered with a sentence. */
export const taskBody = Effect.fnUntraced(function* <A, I>(
  request: HttpServerRequest.HttpServerRequest,
  schema: Schema.Codec<A, I>
) {
  const type = mediaType(request.headers["content-type"])
  if (type !== "" && type !== "application/json") {
    return yield* new UnsupportedMediaType({ error: "Send the body as application/json" })
  }
  const body = yield* Effect.mapError(bytes(request, maxTaskBytes), toAnswer)
  const text = utf8(body)
  const parsed = text === undefined ? undefined : json(text)
  if (parsed === undefined) return yield* new BadRequest({ error: "The body is not JSON" })
  return yield* Effect.fromResult(parseInput(schema, parsed.value)).pipe(
    Effect.mapError(({ message }) => new BadRequest({ error: message }))
  )
})
