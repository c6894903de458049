import { Context, type Effect, Schema } from "effect"
import type { Store } from "./Store.ts"

/** The menu cannot be had. `message` is a sentence for the operator and names no secret. */
export class MenuSourceError extends Schema.TaggedError<MenuSourceError>()("MenuSourceError", {
  message: Schema.String,
  /** Whether asking again later may help. */
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** Where the menus are fetched. */
export class MenuSource extends Context.Service<
  MenuSource,
  {
    /** A store's menu as it is now: a JSON value that `readMenu` judges. */
    readonly menu: (store: Store) => Effect.Effect<unknown, MenuSourceError>
  }
>()("@clicks/core/stores/MenuSource") {}
