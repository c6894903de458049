import { Result, Schema } from "effect"
import type { ClickFilter } from "../../clicks/ClickFilter.ts"
import { parseFilter } from "../../clicks/ClickQuery.ts"
import { parseZone } from "../../clicks/TimeRange.ts"
import type { InvalidInput } from "../../values/InvalidInput.ts"
import { type QueryParameters, read } from "../../values/QueryParameters.ts"
import type { TimeZone } from "../../values/TimeZone.ts"
import { pairParameters } from "../analyticsParameters.ts"

/**
 * The maximum number of products of a visit. A visit with more is more likely a crawler's than a shopper's, and the number of pairs grows
 * with the square.
 */
export const maxProducts = 50

/** Pairs in order: most visits first, then by product_id (code points). */
export const ProductPairs = Schema.Struct({
  pairs: Schema.Array(
    Schema.Struct({
      products: Schema.Array(Schema.String)
        .check(Schema.isMinLength(2), Schema.isMaxLength(2))
        .annotate({ description: "The two product_ids in order", examples: [["p-1001", "p-1007"]] }),
      visits: Schema.Int.annotate({ description: "Visits with clicks on both products", examples: [14] }),
      visitors: Schema.Int.annotate({ description: "Distinct visitors of these visits", examples: [12] })
    }).annotate({ identifier: "ProductPair" })
  ),
  total: Schema.Int.annotate({ description: "Number of pairs, ignoring limit" }),
  skipped: Schema.Int.annotate({
    description: `Visits with more than ${maxProducts} products, which are not paired`,
    examples: [0]
  })
}).annotate({ identifier: "ProductPairs" })
export interface ProductPairs extends Schema.Schema.Type<typeof ProductPairs> {}

/** The clicks that make up visits. If there is a `product_id`, only pairs with it are returned. */
export interface PairQuery {
  readonly filter: Omit<ClickFilter, "product_id">
  readonly product_id?: string
  /** A visit is a visitor's clicks with one `session_id` or, without one, on one local day in this zone. */
  readonly timeZone: TimeZone
  readonly limit: number
}

/** Reads a query: the listing's filters, `tz` and `limit`. */
export const parse = (parameters: QueryParameters): Result.Result<PairQuery, InvalidInput> =>
  Result.gen(function* () {
    const { product_id, ...filter } = yield* parseFilter(parameters)
    return {
      filter,
      ...(product_id !== undefined && { product_id }),
      timeZone: yield* parseZone(parameters),
      ...(yield* read(parameters, pairParameters))
    }
  })
