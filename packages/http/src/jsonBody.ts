import { Effect, Predicate } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type BodyRefused, bytes, json, mediaType, utf8 } from "./clicks/RequestBody.ts"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "./errors.ts"

const toAnswer = ({ error, status }: BodyRefused) => {
  if (status === 413) return new PayloadTooLarge({ error })
  return status === 415 ? new UnsupportedMediaType({ error }) : new BadRequest({ error })
}

const accepted = new Set(["", "application/json"])

/** Bytes of a body that says what to change, as sent and unpacked. */
const limit = 64 * 1024

/** The JSON object that a request carries, its fields yet to be judged. */
export const jsonObject: (
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<Readonly<Record<string, unknown>>, BadRequest | PayloadTooLarge | UnsupportedMediaType> =
  Effect.fnUntraced(function* (request) {
    if (!accepted.has(mediaType(request.headers["content-type"]))) {
      return yield* new UnsupportedMediaType({ error: "Send the body as application/json" })
    }
    const text = utf8(yield* Effect.mapError(bytes(request, limit), toAnswer))
    const value = text === undefined ? undefined : json(text)?.value
    if (!Predicate.isObject(value) || Array.isArray(value)) {
      return yield* new BadRequest({ error: "The body must be a JSON object" })
    }
    return value as Readonly<Record<string, unknown>>
  })
