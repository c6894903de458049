import { ProductAggregate } from "@clicks/core/stores/ProductAggregate"
import { ProductPage } from "@clicks/core/stores/ProductQuery"
import { PutReceipt, StorePayloadInput } from "@clicks/core/stores/putPayload"
import { StoreId } from "@clicks/core/stores/Store"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Admins, Readers } from "../access/AccessApi.ts"
import {
  BadRequest,
  FailureMessage,
  InternalFailure,
  NotFound,
  PayloadTooLarge,
  UnsupportedMediaType
} from "../responses/errors.ts"
import { documented } from "./payloadParameters.ts"

// All are texts, and lists where one is repeated: `ProductQuery.parse` in core says what they mean and what is wrong with them.
const asTyped = Schema.Union([Schema.String, Schema.Array(Schema.String)])

const text = (description: string) => Schema.optionalKey(asTyped.annotate({ description }))

const filter = {
  brand: text("Exact match; repeat to match any of several"),
  category: text("Exact match; repeat to match any of several"),
  price_min: text("Minimum price in dollars"),
  price_max: text("Maximum price in dollars"),
  thc_min: text("Minimum THC in percent"),
  thc_max: text("Maximum THC in percent"),
  in_stock: text("Filter by stock. Products without in_stock match neither value"),
  search: text("Substring of name, brand or category, case-insensitive")
}

const params = { id: StoreId }

const put = HttpApiEndpoint.put("put", "/api/payloads/store/:id", {
  params,
  payload: StorePayloadInput,
  success: PutReceipt,
  error: [BadRequest, PayloadTooLarge, UnsupportedMediaType, InternalFailure]
})
  .middleware(Admins)
  .annotate(FailureMessage, "Failed to store the products")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Replace a store's products",
      description:
        "Replaces all products atomically and creates the store if needed. At most 32 MiB and 100,000 products; Content-Encoding: gzip is accepted. Products with a missing or repeated product_id are rejected; the others are stored. If no product is valid or the payload is malformed, returns 400 and keeps the old products."
    })
  )

const query = HttpApiEndpoint.get("query", "/api/payloads/store/:id/query", {
  params,
  query: {
    ...filter,
    sort: text("Sort field; default: menu order. Products without a value come last"),
    order: text("Sort direction"),
    limit: text("Maximum products per page"),
    offset: text("Products to skip")
  },
  success: ProductPage,
  error: [BadRequest, NotFound, InternalFailure]
})
  .middleware(Readers)
  .annotate(FailureMessage, "Failed to fetch the products")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Query a store's products",
      transform: documented,
      description: "Products must match all filters. Empty filters are ignored."
    })
  )

const aggregate = HttpApiEndpoint.get("aggregate", "/api/payloads/store/:id/aggregate", {
  params,
  query: { group_by: text("Field to group by"), ...filter },
  success: ProductAggregate,
  error: [BadRequest, NotFound, InternalFailure]
})
  .middleware(Readers)
  .annotate(FailureMessage, "Failed to aggregate the products")
  .annotateMerge(
    OpenApi.annotations({
      transform: documented,
      summary: "Aggregate a store's products",
      description: "Returns count, prices and THC content of each group of matching products."
    })
  )

/** The products of the stores: admins put them, readers and admins ask for them. */
export class StorePayloadsApi extends HttpApiGroup.make("payloads")
  .add(put, query, aggregate)
  .annotateMerge(OpenApi.annotations({ title: "Store payloads", description: "Products of stores" })) {}
