import { Result, Schema } from "effect"
import { groupedBy } from "../values/groupedBy.ts"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { oneOf, type QueryParameters } from "../values/QueryParameters.ts"
import { compareCodePoints } from "../values/Text.ts"
import type { Product } from "./Product.ts"
import { type ProductFilter, parseFilter } from "./ProductFilter.ts"
import { StoreId } from "./Store.ts"

export const productGroupings = ["brand", "category"] as const
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

/** Reads an aggregation request. Fails with a message about the first invalid parameter. */
export const parse = (parameters: QueryParameters): Result.Result<ProductAggregateQuery, InvalidInput> =>
  Result.gen(function* () {
    const group_by = yield* oneOf(parameters, "group_by", productGroupings)
    if (group_by === undefined) {
      return yield* invalid(`group_by is required and must be one of: ${productGroupings.join(", ")}`)
    }
    return { group_by, filter: yield* parseFilter(parameters) }
  })

const mean = (sorted: ReadonlyArray<number>): number | null =>
  sorted.length === 0 ? null : sorted.reduce((sum, value) => sum + value / sorted.length, 0)

const median = (sorted: ReadonlyArray<number>): number | null => {
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  return upper === undefined || lower === undefined ? null : lower + (upper - lower) / 2
}

const sortedNumbers = (products: ReadonlyArray<Product>, field: "price" | "thc"): ReadonlyArray<number> =>
  products.flatMap((product) => product[field] ?? []).sort((a, b) => a - b)

const toGroup = (key: string | null, products: ReadonlyArray<Product>): ProductGroup => {
  const prices = sortedNumbers(products, "price")
  const contents = sortedNumbers(products, "thc")
  return {
    key,
    count: products.length,
    in_stock: products.filter((product) => product.in_stock === true).length,
    price_min: prices[0] ?? null,
    price_max: prices.at(-1) ?? null,
    price_avg: mean(prices),
    price_median: median(prices),
    thc_min: contents[0] ?? null,
    thc_max: contents.at(-1) ?? null,
    thc_avg: mean(contents)
  }
}

const compareGroups = (a: ProductGroup, b: ProductGroup): number => {
  if (a.count !== b.count) return b.count - a.count
  if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null)
  return compareCodePoints(a.key, b.key)
}

/** Groups products that match already. What SQL adapters express as GROUP BY. */
export const groupProducts = (
  products: ReadonlyArray<Product>,
  group_by: ProductGrouping
): ReadonlyArray<ProductGroup> =>
  Array.from(
    groupedBy(products, (product) => product[group_by]),
    ([key, members]) => toGroup(key, members)
  ).sort(compareGroups)
