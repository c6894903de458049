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
} from "../errors.ts"
import { documented } from "./payloadParameters.ts"

// All are texts, and lists where one is repeated: `ProductQuery.parse` in core says what they mean and what is wrong with them.
const asTyped = Schema.Union([Schema.String, Schema.Array(Schema.String)])

const text = (description: string) => Schema.optionalKey(asTyped.annotate({ description }))

const filter = {
  brand: text("Equals; repeatable, any of them"),
  category: text("Equals; repeatable, any of them"),
  price_min: text("Price in dollars is this or more"),
  price_max: text("Price in dollars is this or less"),
  thc_min: text("THC in percent is this or more"),
  thc_max: text("THC in percent is this or less"),
  in_stock: text("Whether it is in stock; what does not say so is in neither"),
  search: text("Part of the name, the brand or the category, whatever its case")
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
        "All at once: readers see the old ones or the new ones. At most 32 MiB and 100,000 products; Content-Encoding: gzip is taken. A store that is not known yet is added. An entry without a product_id, or with that of an earlier one, is rejected and its neighbours are kept; when none is left, or the payload cannot be understood, the answer is 400 and the old products stay."
    })
  )

const query = HttpApiEndpoint.get("query", "/api/payloads/store/:id/query", {
  params,
  query: {
    ...filter,
    sort: text("Without it, the menu's own order. What has no value comes last, either way"),
    order: text("Of the sort, or of the menu"),
    limit: text("Products on a page"),
    offset: text("Products to skip")
  },
  success: ProductPage,
  error: [BadRequest, NotFound, InternalFailure]
})
  .middleware(Readers)
  .annotate(FailureMessage, "Failed to fetch the products")
  .annotateMerge(
    OpenApi.annotations({
      summary: "Find products of a store",
      transform: documented,
      description: "Filters that are given all hold; an empty one counts as absent."
    })
  )

const aggregate = HttpApiEndpoint.get("aggregate", "/api/payloads/store/:id/aggregate", {
  params,
  query: { group_by: text("What the groups have in common"), ...filter },
  success: ProductAggregate,
  error: [BadRequest, NotFound, InternalFailure]
})
  .middleware(Readers)
  .annotate(FailureMessage, "Failed to aggregate the products")
  .annotateMerge(
    OpenApi.annotations({
      transform: documented,
      summary: "Group a store's products by brand or category",
      description:
        "With counts, prices and THC contents of each group; of the products that match the filters."
    })
  )

/** The products of the stores: admins put them, readers and admins ask for them. */
export class StorePayloadsApi extends HttpApiGroup.make("payloads")
  .add(put, query, aggregate)
  .annotateMerge(OpenApi.annotations({ title: "Store payloads", description: "What the stores sell" })) {}
