import type { Result } from "effect"
import type { InvalidInput } from "../values/InvalidInput.ts"
import { type QueryParameters, read } from "../values/QueryParameters.ts"
import { productFilters } from "./productParameters.ts"

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

/** Parses the filters of queries and aggregations. Fails with a message about the first invalid one. */
export const parseFilter = (parameters: QueryParameters): Result.Result<ProductFilter, InvalidInput> =>
  read(parameters, productFilters)
