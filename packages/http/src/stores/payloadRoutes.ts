import * as ProductAggregate from "@clicks/core/stores/ProductAggregate"
import { maxMenuBytes } from "@clicks/core/stores/ProductInput"
import * as ProductQuery from "@clicks/core/stores/ProductQuery"
import { putPayload, StorePayloadInput } from "@clicks/core/stores/putPayload"
import { StorePayloads } from "@clicks/core/stores/StorePayloads"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { apiOf } from "../openapi/declaration.ts"
import { jsonBody } from "../requests/jsonBody.ts"
import { answered, orBadRequest } from "../responses/expectedErrors.ts"
import { StorePayloadsApi } from "./StorePayloadsApi.ts"

/** Handles the endpoints of `StorePayloadsApi`. */
export const layer = HttpApiBuilder.group(apiOf(StorePayloadsApi), "payloads", (handlers) =>
  handlers
    // Handled raw: decoded by the declaration, one invalid product would reject the whole payload.
    .handleRaw("put", ({ params: { id }, request }) =>
      Effect.flatMap(jsonBody(request, StorePayloadInput, maxMenuBytes), (body) =>
        answered(putPayload(id, body))
      )
    )
    .handle("query", ({ params: { id }, query }) =>
      Effect.flatMap(orBadRequest(ProductQuery.parse(query)), (parsed) =>
        answered(StorePayloads.use((payloads) => payloads.query(id, parsed)))
      )
    )
    .handle("aggregate", ({ params: { id }, query }) =>
      Effect.flatMap(orBadRequest(ProductAggregate.parse(query)), (parsed) =>
        answered(StorePayloads.use((payloads) => payloads.aggregate(id, parsed)))
      )
    )
)
