import { HttpApiBuilder } from "effect/http-api"
import { DeclaredApi } from "../api.ts"
import { aggregateStorePayload, queryStorePayload } from "./askStorePayload.ts"
import { putStorePayload } from "./putStorePayload.ts"

/** Handles the endpoints of `StorePayloadsApi`. */
export const layer = HttpApiBuilder.group(DeclaredApi, "payloads", (handlers) =>
  handlers
    // Not by its declaration: one bad product would refuse the whole payload.
    .handleRaw("put", ({ params, request }) => putStorePayload(params.id, request))
    .handle("query", ({ params, query }) => queryStorePayload(params.id, query))
    .handle("aggregate", ({ params, query }) => aggregateStorePayload(params.id, query))
)
