import * as ProductAggregate from "@clicks/core/stores/ProductAggregate"
import * as ProductQuery from "@clicks/core/stores/ProductQuery"
import type { QueryParameters } from "@clicks/core/stores/QueryParameters"
import { StorePayloads, type UnknownStore } from "@clicks/core/stores/StorePayloads"
import { Effect } from "effect"
import { BadRequest, NotFound } from "../responses/errors.ts"
import { inside } from "../responses/inside.ts"

const badRequest = ({ message }: { readonly message: string }) => new BadRequest({ error: message })
const notFound = ({ message }: UnknownStore) => Effect.fail(new NotFound({ error: message }))

/** GET /api/payloads/store/{id}/query */
export const queryStorePayload = Effect.fn("queryStorePayload")(function* (
  id: string,
  parameters: QueryParameters
) {
  const query = yield* Effect.mapError(Effect.fromResult(ProductQuery.parse(parameters)), badRequest)
  return yield* StorePayloads.use((payloads) => payloads.query(id, query)).pipe(
    Effect.catchTag("UnknownStore", notFound),
    Effect.catchTag("StorePayloadsError", inside("Failed to fetch the products"))
  )
})

/** GET /api/payloads/store/{id}/aggregate */
export const aggregateStorePayload = Effect.fn("aggregateStorePayload")(function* (
  id: string,
  parameters: QueryParameters
) {
  const query = yield* Effect.mapError(Effect.fromResult(ProductAggregate.parse(parameters)), badRequest)
  return yield* StorePayloads.use((payloads) => payloads.aggregate(id, query)).pipe(
    Effect.catchTag("UnknownStore", notFound),
    Effect.catchTag("StorePayloadsError", inside("Failed to aggregate the products"))
  )
})
