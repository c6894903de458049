import { Context, type Effect, type Option, type Result } from "effect"
import type { InvalidInput } from "../values/InvalidInput.ts"
import { choice, pageOf } from "../values/Parameter.ts"
import type { PortError } from "../values/PortError.ts"
import { type Page, type QueryParameters, read } from "../values/QueryParameters.ts"
import type { Store, StoreListing } from "./Store.ts"
import { type UsState, usStates } from "./UsState.ts"

/** A request for one page of stores, ordered by id. */
export interface StoreQuery extends Page {
  readonly state?: UsState
}

export interface StorePage {
  readonly stores: ReadonlyArray<Store>
  readonly total: number
}

const listing = { state: choice("Stores in this state", "state", usStates), ...pageOf("stores") }

/** Parses a page request. Fails with a message about the first invalid parameter. */
export const parseQuery = (parameters: QueryParameters): Result.Result<StoreQuery, InvalidInput> =>
  read(parameters, listing)

/** The known stores. */
export class Stores extends Context.Service<
  Stores,
  {
    /**
     * Inserts or updates the stores, all or none. A null in a listing keeps the stored value. If an id is repeated, the last entry counts.
     * Returns the number of new stores.
     */
    readonly save: (stores: ReadonlyArray<StoreListing>) => Effect.Effect<number, PortError>
    readonly get: (id: string) => Effect.Effect<Option.Option<Store>, PortError>
    /** One page, ordered by id in code point order, and the exact total. */
    readonly list: (query: StoreQuery) => Effect.Effect<StorePage, PortError>
    /** Deletes a store and its products. Returns false if there is no such store. */
    readonly remove: (id: string) => Effect.Effect<boolean, PortError>
  }
>()("@clicks/core/stores/Stores") {}
