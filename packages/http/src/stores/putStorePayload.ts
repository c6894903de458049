import { maxMenuBytes } from "@clicks/core/stores/ProductInput"
import { putPayload, StorePayloadInput } from "@clicks/core/stores/putPayload"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { noticeIgnoredFields } from "../requests/ignoredFields.ts"
import { jsonBody } from "../requests/jsonBody.ts"
import { BadRequest } from "../responses/errors.ts"
import { inside } from "../responses/inside.ts"

/** PUT /api/payloads/store/{id} */
export const putStorePayload = Effect.fn("putStorePayload")(function* (
  id: string,
  request: HttpServerRequest.HttpServerRequest
) {
  const body = yield* jsonBody(request, maxMenuBytes, "products")
  yield* noticeIgnoredFields(StorePayloadInput, body)
  return yield* putPayload(id, body).pipe(
    Effect.catchTag("MenuRejected", ({ message }) => Effect.fail(new BadRequest({ error: message }))),
    Effect.catchTag(
      ["StoresError", "StorePayloadsError", "UnknownStore"],
      inside("Failed to store the products")
    )
  )
})
