import { Result, Schema } from "effect"
import type { InvalidInput } from "../values/InvalidInput.ts"
import { type Page, type QueryParameters, read } from "../values/QueryParameters.ts"
import { Product } from "./Product.ts"
import { type ProductFilter, parseFilter } from "./ProductFilter.ts"
import { productListing, type productSorts, type sortOrders } from "./productParameters.ts"
import { Store, StoreId } from "./Store.ts"

export type ProductSort = (typeof productSorts)[number]

export type SortOrder = (typeof sortOrders)[number]

/** One page of a store's products. Without `sort`, in the menu's own order. */
export interface ProductQuery extends Page {
  readonly filter: ProductFilter
  readonly sort?: ProductSort
  readonly order: SortOrder
}

export const ProductPage = Schema.Struct({
  store_id: StoreId,
  fetched_at: Store.fields.fetched_at,
  products: Schema.Array(Product),
  total: Schema.Int.annotate({ description: "Products matching the filters, ignoring limit and offset" }),
  limit: Schema.Int.annotate({ examples: [100] }),
  offset: Schema.Int.annotate({ examples: [0] })
}).annotate({ identifier: "ProductPage" })
export interface ProductPage extends Schema.Schema.Type<typeof ProductPage> {}

/** Parses a page request. Fails with a message about the first invalid parameter. */
export const parse = (parameters: QueryParameters): Result.Result<ProductQuery, InvalidInput> =>
  Result.gen(function* () {
    const filter = yield* parseFilter(parameters)
    return { filter, ...(yield* read(parameters, productListing)) }
  })
