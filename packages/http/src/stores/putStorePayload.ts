import { maxMenuBytes } from "@clicks/core/stores/ProductInput"
import { putPayload } from "@clicks/core/stores/putPayload"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { type BodyRefused, bytes, json, mediaType, utf8 } from "../clicks/RequestBody.ts"
import { BadRequest, PayloadTooLarge, UnsupportedMediaType } from "../errors.ts"
import { inside } from "./inside.ts"

const toAnswer = ({ error, status }: BodyRefused) => {
  if (status === 413) return new PayloadTooLarge({ error })
  return status === 415 ? new UnsupportedMediaType({ error }) : new BadRequest({ error })
}

const readBody = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const type = mediaType(request.headers["content-type"])
  if (type !== "" && type !== "application/json") {
    return yield* new UnsupportedMediaType({ error: "Send the products as application/json" })
  }
  const body = yield* bytes(request, maxMenuBytes).pipe(Effect.mapError(toAnswer))
  const text = utf8(body)
  const parsed = text === undefined ? undefined : json(text)
  if (parsed === undefined) return yield* new BadRequest({ error: "The body is not JSON" })
  return parsed.value
})

/** PUT /api/payloads/store/{id} */
export const putStorePayload = Effect.fn("putStorePayload")(function* (
  id: string,
  request: HttpServerRequest.HttpServerRequest
) {
  const body = yield* readBody(request)
  return yield* putPayload(id, body).pipe(
    Effect.catchTag("MenuRejected", ({ message }) => Effect.fail(new BadRequest({ error: message }))),
    Effect.catchTag(
      ["StoresError", "StorePayloadsError", "UnknownStore"],
      inside("Failed to store the products")
    )
  )
})
