import { Context, type Effect, type Option, Result, Schema } from "effect"
import type { InvalidInput } from "../values/InvalidInput.ts"
import { oneOf, type Page, page, type QueryParameters } from "../values/QueryParameters.ts"
import type { Store, StoreListing } from "./Store.ts"
import { type UsState, usStates } from "./UsState.ts"

/** The stores cannot be reached. Trying again is safe. */
export class StoresError extends Schema.TaggedError<StoresError>()("StoresError", {
  operation: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The stores cannot be reached (${this.operation})`
  }
}

/** A page of the stores, by id. */
export interface StoreQuery extends Page {
  readonly state?: UsState
}

export interface StorePage {
  readonly stores: ReadonlyArray<Store>
  readonly total: number
}

/** Reads a page request. Fails with a sentence about the first parameter that cannot be understood. */
export const parseQuery = (parameters: QueryParameters): Result.Result<StoreQuery, InvalidInput> =>
  Result.gen(function* () {
    const state = yield* oneOf(parameters, "state", usStates)
    return { ...(state !== undefined && { state }), ...(yield* page(parameters)) }
  })

/** The stores that are known. */
export class Stores extends Context.Service<
  Stores,
  {
    /**
     * Adds the stores and brings known ones up to date: what a listing leaves null stays as it was. All or none; of two with
     * the same id the later holds. Returns how many were new.
     */
    readonly save: (stores: ReadonlyArray<StoreListing>) => Effect.Effect<number, StoresError>
    readonly get: (id: string) => Effect.Effect<Option.Option<Store>, StoresError>
    /** One page by id, in code point order, and the exact total. */
    readonly list: (query: StoreQuery) => Effect.Effect<StorePage, StoresError>
    /** Forgets a store and its products; false when there is no such store. */
    readonly remove: (id: string) => Effect.Effect<boolean, StoresError>
  }
>()("@clicks/core/stores/Stores") {}
