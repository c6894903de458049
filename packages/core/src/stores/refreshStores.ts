import { Clock, Effect, Option } from "effect"
import { within } from "../values/InvalidInput.ts"
import { readMenu } from "./ProductInput.ts"
import { readDirectory } from "./StoreInput.ts"
import { StorePayloads, UnknownStore } from "./StorePayloads.ts"
import { StoreSource } from "./StoreSource.ts"
import { Stores } from "./Stores.ts"
import type { UsState } from "./UsState.ts"

/**
 * Fetches a state's stores from the directory and saves them. Stores that the directory no longer lists are kept. Returns the number of
 * listed stores, of new stores and of invalid entries.
 */
export const discoverStores = Effect.fn("discoverStores")(function* (state: UsState) {
  const answer = yield* StoreSource.use((source) => source.stores(state))
  const { errors, read, rejected } = yield* Effect.fromResult(
    within((message) => `The directory's response for ${state} ${message}`)(readDirectory(answer, state))
  )
  const added = yield* Stores.use((known) => known.save(read))
  if (rejected > 0) {
    yield* Effect.logWarning(
      `Invalid stores in the directory's response for ${state}: ${rejected}`,
      errors[0]
    )
  }
  return { total: read.length, added, rejected }
})

/**
 * Fetches a store's menu and replaces its products. On any failure, the products of the last successful crawl are kept. Returns the number
 * of stored products and of invalid entries.
 */
export const crawlStore = Effect.fn("crawlStore")(function* (store_id: string) {
  const stores = yield* Stores
  const found = yield* stores.get(store_id)
  if (Option.isNone(found)) return yield* new UnknownStore({ store_id })
  const fetched_at = new Date(yield* Clock.currentTimeMillis)
  const answer = yield* StoreSource.use((source) => source.menu(found.value))
  const { errors, read, rejected } = yield* Effect.fromResult(
    within((message) => `The menu of store ${store_id} ${message}`)(readMenu(answer))
  )
  yield* StorePayloads.use((payloads) => payloads.replace({ store_id, fetched_at, products: read }))
  if (rejected > 0) {
    yield* Effect.logWarning(`Invalid products in the menu of store ${store_id}: ${rejected}`, errors[0])
  }
  return { total: read.length, rejected }
})
