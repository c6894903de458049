import { decode } from "@clicks/core/values/InvalidInput"
import { Effect, Predicate, type Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../responses/errors.ts"
import { answered } from "../responses/expectedErrors.ts"
import { noticeUnknown } from "./ignoredFields.ts"
import { type BodyRefused, bytes, mediaType, utf8 } from "./RequestBody.ts"

const toAnswer = ({ error, status }: BodyRefused) => {
  if (status === 413) return new PayloadTooLarge({ error })
  return status === 415 ? new UnsupportedMediaType({ error }) : new BadRequest({ error })
}

const accepted = new Set(["", "application/json"])

/**
 * Reads a JSON object of at most `limit` bytes, compressed and decompressed. Does not validate its fields, but adds a notice that lists
 * those that `schema` does not know: they have no effect.
 */
export const jsonBody = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  schema: Schema.Top,
  limit = 1_048_576
) {
  if (!accepted.has(mediaType(request.headers["content-type"]))) {
    const error = "Unsupported content type. Send the body as application/json"
    return yield* new UnsupportedMediaType({ error })
  }
  const body = yield* Effect.mapError(bytes(request, limit), toAnswer)
  const value = yield* Effect.try({
    try: (): unknown => JSON.parse(utf8(body) ?? ""),
    catch: () => new BadRequest({ error: "The body is not JSON" })
  })
  if (!Predicate.isObject(value)) return yield* new BadRequest({ error: "The body must be a JSON object" })
  yield* noticeUnknown("Ignored field", schema, value)
  return value
})

/** Reads a JSON object and decodes it. Fails with 400 if it does not match the schema. */
export const decodedBody = <A, I>(request: HttpServerRequest.HttpServerRequest, schema: Schema.Codec<A, I>) =>
  Effect.flatMap(jsonBody(request, schema), (fields) => answered(Effect.fromResult(decode(schema, fields))))
