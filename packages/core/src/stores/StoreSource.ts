import { Context, type Effect, Schema } from "effect"
import type { Store } from "./Store.ts"
import type { UsState } from "./UsState.ts"

/** The directory or a menu cannot be fetched. `message` is for the operator and contains no secret. */
export class StoreSourceError extends Schema.TaggedError<StoreSourceError>()("StoreSourceError", {
  message: Schema.String,
  /** Whether a retry may succeed. */
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** The external source of stores and their menus. It returns JSON values that are not trusted. */
export class StoreSource extends Context.Service<
  StoreSource,
  {
    /** A state's stores, as the directory returns them (`readDirectory`). */
    readonly stores: (state: UsState) => Effect.Effect<unknown, StoreSourceError>
    /** A store's menu as it is now (`readMenu`). */
    readonly menu: (store: Store) => Effect.Effect<unknown, StoreSourceError>
  }
>()("@clicks/core/stores/StoreSource") {}
