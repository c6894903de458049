import { Effect, type Schema, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../responses/errors.ts"
import { noticeIgnoredFields } from "./ignoredFields.ts"
import { type BodyRefused, bytes, mediaType, parse } from "./RequestBody.ts"

type Refused = BadRequest | PayloadTooLarge | UnsupportedMediaType

const toAnswer = ({ error, status }: BodyRefused): Refused => {
  if (status === 413) return new PayloadTooLarge({ error })
  return status === 415 ? new UnsupportedMediaType({ error }) : new BadRequest({ error })
}

const accepted = new Set(["", "application/json"])

/**
 * Reads a JSON body of at most `limit` bytes, compressed and decompressed. Does not validate it, but adds a notice of the fields that
 * `schema` does not know: they have no effect. `what` names the content in an error.
 */
export const jsonBody: (
  request: HttpServerRequest.HttpServerRequest,
  schema: Schema.Top,
  limit: number,
  what?: string
) => Effect.Effect<unknown, Refused, Scope.Scope | HttpServerRequest.HttpServerRequest> = Effect.fnUntraced(
  function* (request, schema, limit, what = "body") {
    if (!accepted.has(mediaType(request.headers["content-type"]))) {
      return yield* new UnsupportedMediaType({
        error: `Unsupported content type. Send the ${what} as application/json`
      })
    }
    const parsed = parse(yield* Effect.mapError(bytes(request, limit), toAnswer))
    if (parsed === undefined) return yield* new BadRequest({ error: "The body is not JSON" })
    yield* noticeIgnoredFields(schema, parsed.value)
    return parsed.value
  }
)
