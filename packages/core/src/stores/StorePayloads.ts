import { Context, type Effect, Schema } from "effect"
import type { Product } from "./Product.ts"
import type { ProductAggregate, ProductAggregateQuery } from "./ProductAggregate.ts"
import type { ProductPage, ProductQuery } from "./ProductQuery.ts"

/** The payloads cannot be reached. Trying again is safe. */
export class StorePayloadsError extends Schema.TaggedError<StorePayloadsError>()("StorePayloadsError", {
  operation: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `The store payloads cannot be reached (${this.operation})`
  }
}

/** No store has this id: it was removed or never saved. */
export class UnknownStore extends Schema.TaggedError<UnknownStore>()("UnknownStore", {
  store_id: Schema.String
}) {
  override get message(): string {
    return `There is no store ${this.store_id}`
  }
}

/** What a store sells, as its menu said when it was fetched. */
export interface StorePayload {
  readonly store_id: string
  readonly fetched_at: Date
  /** In the menu's order, each `product_id` once. */
  readonly products: ReadonlyArray<Product>
}

/** The products of the stores. A store that was saved and never fetched has none. */
export class StorePayloads extends Context.Service<
  StorePayloads,
  {
    /** Replaces a store's products. Whoever reads meanwhile sees the old ones or the new ones, whole. */
    readonly replace: (payload: StorePayload) => Effect.Effect<void, UnknownStore | StorePayloadsError>
    /** One page in the order that is asked for (`sortProducts`) and the exact total, both as of one moment. */
    readonly query: (
      store_id: string,
      query: ProductQuery
    ) => Effect.Effect<ProductPage, UnknownStore | StorePayloadsError>
    /** The products that match, grouped (`groupProducts`). */
    readonly aggregate: (
      store_id: string,
      query: ProductAggregateQuery
    ) => Effect.Effect<ProductAggregate, UnknownStore | StorePayloadsError>
  }
>()("@clicks/core/stores/StorePayloads") {}
