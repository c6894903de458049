import type { Result } from "effect"
import type { InvalidInput } from "../values/InvalidInput.ts"
import { type QueryParameters, read, type Values } from "../values/QueryParameters.ts"
import { productFilters } from "./productParameters.ts"

/**
 * Selects the products that meet every given condition. `brand` and `category` list the accepted values, compared exactly. Bounds are
 * inclusive; a product without the number is outside every range. `search` is a case-insensitive substring of the name, the brand or the
 * category.
 */
export interface ProductFilter extends Values<typeof productFilters> {}

/** Parses the filters of queries and aggregations. Fails with a message about the first invalid one. */
export const parseFilter = (parameters: QueryParameters): Result.Result<ProductFilter, InvalidInput> =>
  read(parameters, productFilters)
