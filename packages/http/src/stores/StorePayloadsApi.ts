import { ProductAggregate, productGroupings } from "@clicks/core/stores/ProductAggregate"
import { ProductPage, productSorts, sortOrders } from "@clicks/core/stores/ProductQuery"
import { PutReceipt, StorePayloadInput } from "@clicks/core/stores/putPayload"
import { StoreId } from "@clicks/core/stores/Store"
import { defaultLimit, maxLimit } from "@clicks/core/values/QueryParameters"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Admins, Readers } from "../access/AccessApi.ts"
import { described, limit, offset, parameter, repeatable, text } from "../openapi/declaration.ts"
import { bodyErrors, NotFound } from "../responses/errors.ts"

const amount = { type: "number" }

const anyOf = (example: string) =>
  repeatable("Exact match; repeat to match any of several", {
    type: "array",
    items: { type: "string" },
    examples: [[example]]
  })

const filter = {
  brand: anyOf("Green Leaf"),
  category: anyOf("Flower"),
  price_min: parameter("Minimum price in dollars", amount),
  price_max: parameter("Maximum price in dollars", amount),
  thc_min: parameter("Minimum THC in percent", amount),
  thc_max: parameter("Maximum THC in percent", amount),
  in_stock: parameter("Filter by stock. Products without in_stock match neither value", { type: "boolean" }),
  search: text("Substring of name, brand or category, case-insensitive", "dream")
}

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

const query = HttpApiEndpoint.get("query", "/api/payloads/store/:id/query", {
  params,
  query: {
    ...filter,
    sort: parameter("Sort field; default: menu order. Products without a value come last", {
      type: "string",
      enum: productSorts
    }),
    order: parameter("Sort direction", { type: "string", enum: sortOrders, default: "asc" }),
    limit: limit("Maximum products per page", maxLimit, defaultLimit),
    offset: offset("Products to skip")
  },
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
  query: {
    group_by: parameter("Field to group by", { type: "string", enum: productGroupings }),
    ...filter
  },
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
  .add(put, query, aggregate)
  .annotateMerge(OpenApi.annotations({ title: "Store payloads", description: "Products of stores" })) {}
