import { Effect, Predicate, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../responses/errors.ts"
import { type BodyRefused, bytes, mediaType, parse } from "./RequestBody.ts"

type Refused = BadRequest | PayloadTooLarge | UnsupportedMediaType

const toAnswer = ({ error, status }: BodyRefused): Refused => {
  if (status === 413) return new PayloadTooLarge({ error })
  return status === 415 ? new UnsupportedMediaType({ error }) : new BadRequest({ error })
}

const accepted = new Set(["", "application/json"])

/**
 * The JSON value that a request carries, yet to be judged: at most `limit` bytes, as sent and unpacked. `what` names it to one who
 * sends another type.
 */
export const jsonBody: (
  request: HttpServerRequest.HttpServerRequest,
  limit: number,
  what?: string
) => Effect.Effect<unknown, Refused, Scope.Scope> = Effect.fnUntraced(function* (
  request,
  limit,
  what = "body"
) {
  if (!accepted.has(mediaType(request.headers["content-type"]))) {
    return yield* new UnsupportedMediaType({
      error: `Unsupported content type. Send the ${what} as application/json`
    })
  }
  const parsed = parse(yield* Effect.mapError(bytes(request, limit), toAnswer))
  if (parsed === undefined) return yield* new BadRequest({ error: "The body is not JSON" })
  return parsed.value
})

/** Bytes of a body that says what to change. */
const objectLimit = 64 * 1024

/** The JSON object that a request carries, its fields yet to be judged. */
export const jsonObject: (
  request: HttpServerRequest.HttpServerRequest
) => Effect.Effect<Readonly<Record<string, unknown>>, Refused, Scope.Scope> = Effect.fnUntraced(
  function* (request) {
    const value = yield* jsonBody(request, objectLimit)
    if (!Predicate.isObject(value) || Array.isArray(value)) {
      return yield* new BadRequest({ error: "The body must be a JSON object" })
    }
    return value as Readonly<Record<string, unknown>>
  }
)
