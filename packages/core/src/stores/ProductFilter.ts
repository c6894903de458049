import { Result } from "effect"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { all, oneOf, type QueryParameters, single } from "../values/QueryParameters.ts"
import { fold, unstorableReason } from "../values/Text.ts"
import type { Product } from "./Product.ts"

/**
 * Selects the products for which every given condition holds. `brand` and `category` name the wanted ones, compared as
 * given. Bounds are inclusive; a product without the number is outside every range. `search` is part of the name, the brand or
 * the category, whatever its case.
 */
export interface ProductFilter {
  readonly brand?: ReadonlyArray<string>
  readonly category?: ReadonlyArray<string>
  readonly price_min?: number
  readonly price_max?: number
  readonly thc_min?: number
  readonly thc_max?: number
  readonly in_stock?: boolean
  readonly search?: string
}

const anyOf = (parameters: QueryParameters, name: "brand" | "category") => {
  const wanted = all(parameters, name)
  return wanted.length === 0 ? {} : { [name]: wanted }
}

const number = (
  parameters: QueryParameters,
  name: string
): Result.Result<Readonly<Record<string, number>>, InvalidInput> =>
  Result.flatMap(single(parameters, name), (text) => {
    if (text === undefined) return Result.succeed({})
    return /^[+-]?(\d{1,15}\.?\d{0,15}|\.\d{1,15})$/.test(text)
      ? Result.succeed({ [name]: Number(text) })
      : invalid(`${name} must be a number, such as 12.5`)
  })

/** Reads the filters that query and aggregate share. Fails with a message about the first invalid one. */
export const parseFilter = (parameters: QueryParameters): Result.Result<ProductFilter, InvalidInput> =>
  Result.gen(function* () {
    const in_stock = yield* oneOf(parameters, "in_stock", ["true", "false"])
    const search = yield* single(parameters, "search")
    return {
      ...anyOf(parameters, "brand"),
      ...anyOf(parameters, "category"),
      ...(yield* number(parameters, "price_min")),
      ...(yield* number(parameters, "price_max")),
      ...(yield* number(parameters, "thc_min")),
      ...(yield* number(parameters, "thc_max")),
      ...(in_stock !== undefined && { in_stock: in_stock === "true" }),
      ...(search !== undefined && { search })
    }
  })

const isAnyOf = (wanted: ReadonlyArray<string> | undefined, value: string | null): boolean =>
  wanted === undefined || (value !== null && wanted.includes(value))

const isWithin = (value: number | null, min: number | undefined, max: number | undefined): boolean =>
  (min === undefined && max === undefined) ||
  (value !== null && value >= (min ?? value) && value <= (max ?? value))

const isFound = (search: string | undefined, texts: ReadonlyArray<string | null>): boolean => {
  if (search === undefined) return true
  // Half of a surrogate pair is part of no character, though JavaScript finds it in an emoji.
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
