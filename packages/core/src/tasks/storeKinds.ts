import { Schema } from "effect"
import { StoreId } from "../stores/Store.ts"
import { UsState } from "../stores/UsState.ts"
import * as TaskKind from "./TaskKind.ts"

/** Asks the store directory for a state's stores and saves them. */
export const storeDiscovery = TaskKind.make("store-discovery", Schema.Struct({ state: UsState }))

/** Fetches a store's menu and replaces its payload. */
export const storeCrawl = TaskKind.make("store-crawl", Schema.Struct({ store_id: StoreId }))
