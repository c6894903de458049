import { Context, type Effect, Schema } from "effect"
import type { UsState } from "./UsState.ts"

/** The directory did not answer. `message` is a sentence for the operator and names no secret. */
export class StoreDirectoryError extends Schema.TaggedError<StoreDirectoryError>()("StoreDirectoryError", {
  message: Schema.String,
  /** Whether asking again later may help. */
  retryable: Schema.Boolean,
  cause: Schema.optionalKey(Schema.Defect())
}) {}

/** Who knows which stores there are. */
export class StoreDirectory extends Context.Service<
  StoreDirectory,
  {
    /** A state's stores as the directory gives them: a JSON value that `readDirectory` judges. */
    readonly stores: (state: UsState) => Effect.Effect<unknown, StoreDirectoryError>
  }
>()("@clicks/core/stores/StoreDirectory") {}
