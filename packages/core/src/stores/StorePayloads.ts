import { Context, type Effect, Schema } from "effect"
import type { PortError } from "../values/PortError.ts"
import type { Product } from "./Product.ts"
import type { ProductAggregate, ProductAggregateQuery } from "./ProductAggregate.ts"
import type { ProductPage, ProductQuery } from "./ProductQuery.ts"

/** No store has this id: it was removed or never saved. */
export class UnknownStore extends Schema.TaggedError<UnknownStore>()("UnknownStore", {
  store_id: Schema.String
}) {
  override get message(): string {
    return `There is no store ${this.store_id}`
  }
}

/** A store's products, as of the last fetch of its menu. */
export interface StorePayload {
  readonly store_id: string
  readonly fetched_at: Date
  /** In the menu's order, each `product_id` once. */
  readonly products: ReadonlyArray<Product>
}

/** The products of the stores. A store whose menu was never fetched has none. */
export class StorePayloads extends Context.Service<
  StorePayloads,
  {
    /** Replaces a store's products atomically: a concurrent reader sees all old ones or all new ones. */
    readonly replace: (payload: StorePayload) => Effect.Effect<void, UnknownStore | PortError>
    /**
     * One page and the exact total, both from one snapshot. Texts are ordered by their folded form, numbers by value. Products without a
     * value come last in either direction. Products with equal values stay in the menu's order.
     */
    readonly query: (
      store_id: string,
      query: ProductQuery
    ) => Effect.Effect<ProductPage, UnknownStore | PortError>
    /** Statistics of the matching products by group. The largest group comes first; ties are ordered by key, null last. */
    readonly aggregate: (
      store_id: string,
      query: ProductAggregateQuery
    ) => Effect.Effect<ProductAggregate, UnknownStore | PortError>
  }
>()("@clicks/core/stores/StorePayloads") {}
