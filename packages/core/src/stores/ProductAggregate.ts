import { Result, Schema } from "effect"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { type QueryParameters, read } from "../values/QueryParameters.ts"
import { type ProductFilter, parseFilter } from "./ProductFilter.ts"
import { productGrouping, productGroupings } from "./productParameters.ts"
import { StoreId } from "./Store.ts"

export const ProductGrouping = Schema.Literals(productGroupings)
export type ProductGrouping = typeof ProductGrouping.Type

export interface ProductAggregateQuery {
  readonly group_by: ProductGrouping
  readonly filter: ProductFilter
}

const number = (description: string, example: number) =>
  Schema.NullOr(Schema.Finite).annotate({ description, examples: [example] })

export const ProductGroup = Schema.Struct({
  key: Schema.NullOr(Schema.String).annotate({
    description: "Brand or category; null for products without one",
    examples: ["Flower"]
  }),
  count: Schema.Int.annotate({ examples: [12] }),
  in_stock: Schema.Int.annotate({ description: "Products in stock", examples: [9] }),
  price_min: number("Lowest price in dollars; null if no product in the group has a price", 12),
  price_max: number("Highest price", 60),
  price_avg: number("Mean of the prices", 31.25),
  price_median: number("Median of the prices", 30),
  thc_min: number("Lowest THC content in percent; null if no product in the group has one", 14.2),
  thc_max: number("Highest THC content", 31),
  thc_avg: number("Mean of the THC contents", 22.5)
}).annotate({ identifier: "ProductGroup" })
export interface ProductGroup extends Schema.Schema.Type<typeof ProductGroup> {}

export const ProductAggregate = Schema.Struct({
  store_id: StoreId,
  group_by: ProductGrouping,
  groups: Schema.Array(ProductGroup).annotate({ description: "Largest count first, then by key" }),
  total: Schema.Int.annotate({ description: "Number of matching products" })
}).annotate({ identifier: "ProductAggregate" })
export interface ProductAggregate extends Schema.Schema.Type<typeof ProductAggregate> {}

/** Parses an aggregation request. Fails with a message about the first invalid parameter. */
export const parse = (parameters: QueryParameters): Result.Result<ProductAggregateQuery, InvalidInput> =>
  Result.gen(function* () {
    const { group_by } = yield* read(parameters, productGrouping)
    if (group_by === undefined) {
      return yield* invalid(`group_by is required and must be one of: ${productGroupings.join(", ")}`)
    }
    return { group_by, filter: yield* parseFilter(parameters) }
  })
