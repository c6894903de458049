import { ProductAggregate } from "@clicks/core/stores/ProductAggregate"
import { ProductPage } from "@clicks/core/stores/ProductQuery"
import { productFilters, productGrouping, productListing } from "@clicks/core/stores/productParameters"
import { PutReceipt, StorePayloadInput } from "@clicks/core/stores/putPayload"
import { StoreId } from "@clicks/core/stores/Store"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Admins, Readers } from "../access/AccessApi.ts"
import { described, query } from "../openapi/declaration.ts"
import { bodyErrors, NotFound } from "../responses/errors.ts"

const params = { id: StoreId }

const put = HttpApiEndpoint.put("put", "/api/payloads/store/:id", {
  params,
  payload: StorePayloadInput,
  success: PutReceipt,
  error: bodyErrors
})
  .middleware(Admins)
  .annotateMerge(
    described({
      summary: "Replace a store's products",
      description:
        "Replaces all products atomically and creates the store if needed. At most 32 MiB and 100,000 products; Content-Encoding: gzip is accepted. Products with a missing or repeated product_id are rejected; the others are stored. If no product is valid or the payload is malformed, returns 400 and keeps the old products."
    })
  )

const queryProducts = HttpApiEndpoint.get("query", "/api/payloads/store/:id/query", {
  params,
  query: query({ ...productFilters, ...productListing }),
  success: ProductPage,
  error: NotFound
})
  .middleware(Readers)
  .annotateMerge(
    described({
      summary: "Query a store's products",
      description: "Products must match all filters. Empty filters are ignored."
    })
  )

const aggregate = HttpApiEndpoint.get("aggregate", "/api/payloads/store/:id/aggregate", {
  params,
  query: query({ ...productGrouping, ...productFilters }),
  success: ProductAggregate,
  error: NotFound
})
  .middleware(Readers)
  .annotateMerge(
    described({
      summary: "Aggregate a store's products",
      // Declared optional, so that core writes the error message.
      transform: ({ parameters, ...operation }) => ({
        ...operation,
        parameters: parameters.map((found: { readonly name: string }) =>
          found.name === "group_by" ? { ...found, required: true } : found
        )
      }),
      description: "Returns count, prices and THC content of each group of matching products."
    })
  )

/** The products of stores. Admins replace them; readers and admins query them. */
export class StorePayloadsApi extends HttpApiGroup.make("payloads")
  .add(put, queryProducts, aggregate)
  .annotateMerge(OpenApi.annotations({ title: "Store payloads", description: "Products of stores" })) {}
