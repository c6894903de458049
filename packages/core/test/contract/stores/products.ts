import type { Product } from "@clicks/core/stores/Product"
import type { ProductGroup, ProductGrouping } from "@clicks/core/stores/ProductAggregate"
import type { ProductFilter } from "@clicks/core/stores/ProductFilter"
import type { ProductQuery } from "@clicks/core/stores/ProductQuery"
import { groupedBy } from "@clicks/core/values/groupedBy"
import { compareCodePoints, fold, unstorableReason } from "@clicks/core/values/Text"

const isAnyOf = (wanted: ReadonlyArray<string> | undefined, value: string | null): boolean =>
  wanted === undefined || (value !== null && wanted.includes(value))

const isWithin = (value: number | null, min: number | undefined, max: number | undefined): boolean =>
  (min === undefined && max === undefined) ||
  (value !== null && value >= (min ?? value) && value <= (max ?? value))

const isFound = (search: string | undefined, texts: ReadonlyArray<string | null>): boolean => {
  if (search === undefined) return true
  // Half of a surrogate pair is not a character, although JavaScript finds it in an emoji.
  if (unstorableReason(search) !== undefined) return false
  const sought = fold(search)
  return texts.some((text) => text !== null && fold(text).includes(sought))
}

/** Whether the filter selects a product. SQL adapters express this as a WHERE clause. */
export const matches = (filter: ProductFilter, product: Product): boolean =>
  isAnyOf(filter.brand, product.brand) &&
  isAnyOf(filter.category, product.category) &&
  isWithin(product.price, filter.price_min, filter.price_max) &&
  isWithin(product.thc, filter.thc_min, filter.thc_max) &&
  (filter.in_stock === undefined || filter.in_stock === product.in_stock) &&
  isFound(filter.search, [product.name, product.brand, product.category])

type SortKey = string | number | null

const sortKey = (value: SortKey): SortKey => (typeof value === "string" ? fold(value) : value)

const compareKeys = (a: string | number, b: string | number): number =>
  typeof a === "string" && typeof b === "string" ? compareCodePoints(a, b) : Number(a) - Number(b)

/**
 * Sorts products, given in the menu's order: texts by their folded form, numbers by value, products without a value last in either
 * direction. Products with equal values stay in the menu's order.
 */
export const sortProducts = (
  products: ReadonlyArray<Product>,
  { order, sort }: Pick<ProductQuery, "sort" | "order">
): ReadonlyArray<Product> => {
  if (sort === undefined) return order === "asc" ? products : products.toReversed()
  const direction = order === "asc" ? 1 : -1
  const keyed = products.map((product) => ({ product, key: sortKey(product[sort]) }))
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null)
    return direction * compareKeys(a.key, b.key)
  })
  return keyed.map(({ product }) => product)
}

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

/** Groups products that match. SQL adapters express this as GROUP BY. */
export const groupProducts = (
  products: ReadonlyArray<Product>,
  group_by: ProductGrouping
): ReadonlyArray<ProductGroup> =>
  Array.from(
    groupedBy(products, (product) => product[group_by]),
    ([key, members]) => toGroup(key, members)
  ).sort(compareGroups)
