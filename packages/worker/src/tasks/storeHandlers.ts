import { crawlStore, discoverStores } from "@clicks/core/stores/refreshStores"
import type { StorePayloads } from "@clicks/core/stores/StorePayloads"
import type { StoreSource } from "@clicks/core/stores/StoreSource"
import type { Stores } from "@clicks/core/stores/Stores"
import { storeCrawl, storeDiscovery } from "@clicks/core/tasks/storeTasks"
import { handler, TaskFailure, type TaskHandler } from "@clicks/core/tasks/TaskKind"
import { Effect } from "effect"

type Failure = Effect.Error<ReturnType<typeof crawlStore>> | Effect.Error<ReturnType<typeof discoverStores>>

// A directory or a menu with invalid data stays invalid; an unavailable database recovers.
const isRetryable = (failure: Failure): boolean =>
  failure._tag === "PortError" || (failure._tag === "StoreSourceError" && failure.retryable)

const toTaskFailure = (failure: Failure) =>
  new TaskFailure({
    message: failure.message,
    retryable: isRetryable(failure),
    ...("cause" in failure && failure.cause !== undefined && { cause: failure.cause })
  })

/** `store-discovery`: fetches a state's stores from the directory and saves them. Does not crawl them; schedules and tasks do. */
export const discovery: TaskHandler<StoreSource | Stores> = handler(storeDiscovery, ({ state }) =>
  discoverStores(state).pipe(
    Effect.tap(({ added, total }) =>
      Effect.logInfo(`Discovered stores in ${state}: ${total} (${added} new)`)
    ),
    Effect.mapError(toTaskFailure),
    Effect.asVoid
  )
)

/** `store-crawl`: fetches a store's menu and replaces its products. */
export const crawl: TaskHandler<StoreSource | StorePayloads | Stores> = handler(storeCrawl, ({ store_id }) =>
  crawlStore(store_id).pipe(
    Effect.tap(({ total }) => Effect.logDebug(`The menu of store ${store_id} has ${total} products`)),
    Effect.mapError(toTaskFailure),
    Effect.asVoid
  )
)

/** The handlers of tasks about stores. */
export const storeHandlers: ReadonlyArray<TaskHandler<StoreSource | StorePayloads | Stores>> = [
  discovery,
  crawl
]
