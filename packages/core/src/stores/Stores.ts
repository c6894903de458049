import { Context, type Effect, type Option, Result } from "effect"
import type { InvalidInput } from "../values/InvalidInput.ts"
import type { PortError } from "../values/PortError.ts"
import { oneOf, type Page, page, type QueryParameters } from "../values/QueryParameters.ts"
import type { Store, StoreListing } from "./Store.ts"
import { type UsState, usStates } from "./UsState.ts"

/** A page of the stores, by id. */
export interface StoreQuery extends Page {
  readonly state?: UsState
}

export interface StorePage {
  readonly stores: ReadonlyArray<Store>
  readonly total: number
}

/** Parses a page request. Fails with a message about the first invalid parameter. */
export const parseQuery = (parameters: QueryParameters): Result.Result<StoreQuery, InvalidInput> =>
  Result.gen(function* () {
    const state = yield* oneOf(parameters, "state", usStates)
    return { ...(state !== undefined && { state }), ...(yield* page(parameters)) }
  })

/** The known stores. */
export class Stores extends Context.Service<
  Stores,
  {
    /**
     * Inserts or updates the stores, all or none: a null in a listing keeps the stored value, and of two with the same id
     * the later wins. Returns how many were new.
     */
    readonly save: (stores: ReadonlyArray<StoreListing>) => Effect.Effect<number, PortError>
    readonly get: (id: string) => Effect.Effect<Option.Option<Store>, PortError>
    /** One page by id, in code point order, and the exact total. */
    readonly list: (query: StoreQuery) => Effect.Effect<StorePage, PortError>
    /** Deletes a store and its products; false when there is no such store. */
    readonly remove: (id: string) => Effect.Effect<boolean, PortError>
  }
>()("@clicks/core/stores/Stores") {}
