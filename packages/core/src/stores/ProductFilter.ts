import { Result } from "effect"
import { type InvalidInput, invalid } from "../values/InvalidInput.ts"
import { all, oneOf, type QueryParameters, single } from "../values/QueryParameters.ts"

/**
 * Selects the products that meet every given condition. `brand` and `category` list the accepted values, compared exactly. Bounds are
 * inclusive; a product without the number is outside every range. `search` is a case-insensitive substring of the name, the brand or the
 * category.
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

/** Parses the filters of queries and aggregations. Fails with a message about the first invalid one. */
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
