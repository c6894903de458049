import { Result } from "effect"
import { type InvalidStoresQuery, oneOf, type QueryParameters, wholeNumber } from "./QueryParameters.ts"
import type { Store } from "./Store.ts"
import { type UsState, usStates } from "./UsState.ts"

/** A page of the stores, by id. */
export interface StoreQuery {
  readonly state?: UsState
  readonly limit: number
  readonly offset: number
}

export interface StorePage {
  readonly stores: ReadonlyArray<Store>
  readonly total: number
}

/** Reads a page request. Fails with a sentence about the first parameter that cannot be understood. */
export const parse = (parameters: QueryParameters): Result.Result<StoreQuery, InvalidStoresQuery> =>
  Result.gen(function* () {
    const state = yield* oneOf(parameters, "state", usStates)
    const limit = yield* wholeNumber(parameters, "limit", { fallback: 100, min: 1, max: 1000 })
    const max = Number.MAX_SAFE_INTEGER
    const offset = yield* wholeNumber(parameters, "offset", { fallback: 0, min: 0, max })
    return { ...(state !== undefined && { state }), limit, offset }
  })
