import * as ProductAggregate from "@clicks/core/stores/ProductAggregate"
import { maxMenuBytes } from "@clicks/core/stores/ProductInput"
import * as ProductQuery from "@clicks/core/stores/ProductQuery"
import { putPayload, StorePayloadInput } from "@clicks/core/stores/putPayload"
import { StorePayloads } from "@clicks/core/stores/StorePayloads"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../openapi/declaration.ts"
import { jsonBody } from "../requests/jsonBody.ts"
import { badRequest, notFound, orBadRequest } from "../responses/expectedErrors.ts"
import { StorePayloadsApi } from "./StorePayloadsApi.ts"

const expected = { UnknownStore: notFound, PortError: Effect.die }

/** Handles the endpoints of `StorePayloadsApi`. */
export const layer = HttpApiBuilder.group(apiOf(StorePayloadsApi), "payloads", (handlers) =>
  handlers
    // Raw: by its declaration, one invalid product would reject the whole payload.
    .handleRaw("put", ({ params: { id }, request }) =>
      jsonBody(request, StorePayloadInput, maxMenuBytes, "products").pipe(
        Effect.flatMap((body) => putPayload(id, body)),
        Effect.catchTags({
          InvalidInput: badRequest,
          PortError: Effect.die,
          UnknownStore: Effect.die
        })
      )
    )
    .handle("query", ({ params: { id }, query }) =>
      orBadRequest(ProductQuery.parse(query)).pipe(
        Effect.flatMap((parsed) => StorePayloads.use((payloads) => payloads.query(id, parsed))),
        Effect.catchTags(expected)
      )
    )
    .handle("aggregate", ({ params: { id }, query }) =>
      orBadRequest(ProductAggregate.parse(query)).pipe(
        Effect.flatMap((parsed) => StorePayloads.use((payloads) => payloads.aggregate(id, parsed))),
        Effect.catchTags(expected)
      )
    )
)
