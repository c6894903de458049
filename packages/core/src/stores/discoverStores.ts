import { Effect } from "effect"
import { within } from "../values/InvalidInput.ts"
import { readDirectory } from "./StoreInput.ts"
import { StoreSource } from "./StoreSource.ts"
import { Stores } from "./Stores.ts"
import type { UsState } from "./UsState.ts"

/**
 * Asks the directory for a state's stores and saves them. Stores that the directory no longer lists stay. Returns how many stores
 * it listed, how many of them were new, and how many entries were none.
 */
export const discoverStores = Effect.fn("discoverStores")(function* (state: UsState) {
  const answer = yield* StoreSource.use((source) => source.stores(state))
  const { firstError, rejected, stores } = yield* Effect.fromResult(
    within((message) => `The directory's response for ${state} ${message}`)(readDirectory(answer, state))
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
