import { Effect, Schema } from "effect"
import { StoreDirectory } from "./StoreDirectory.ts"
import { readDirectory } from "./StoreInput.ts"
import { Stores } from "./Stores.ts"
import type { UsState } from "./UsState.ts"

/** What the directory answered is no list of stores. `message` is a sentence for the operator. */
export class DirectoryUnreadable extends Schema.TaggedError<DirectoryUnreadable>()("DirectoryUnreadable", {
  message: Schema.String
}) {}

/**
 * Asks the directory for a state's stores and saves them. Stores that the directory no longer lists stay. Returns how many stores
 * it listed, how many of them were new, and how many entries were none.
 */
export const discoverStores = Effect.fn("discoverStores")(function* (state: UsState) {
  const answer = yield* StoreDirectory.use((directory) => directory.stores(state))
  const { firstError, rejected, stores } = yield* Effect.fromResult(readDirectory(answer, state)).pipe(
    Effect.mapError(
      ({ message }) =>
        new DirectoryUnreadable({ message: `The directory's response for ${state} ${message}` })
    )
  )
  const added = yield* Stores.use((known) => known.save(stores))
  if (rejected > 0) {
    yield* Effect.logWarning(
      `Invalid stores in the directory's response for ${state}: ${rejected}`,
      firstError
    )
  }
  return { total: stores.length, added, rejected }
})
