import { Schema } from "effect"
import { StoreId } from "../stores/Store.ts"
import { UsState } from "../stores/UsState.ts"
import type { CrawlSchedule } from "./schedules/CrawlSchedule.ts"
import { type NewTask, newTask } from "./Task.ts"
import * as TaskKind from "./TaskKind.ts"

/** Fetches a state's stores from the directory and saves them. */
export const storeDiscovery = TaskKind.make("store-discovery", Schema.Struct({ state: UsState }))

/** Fetches a store's menu and replaces its products. */
export const storeCrawl = TaskKind.make("store-crawl", Schema.Struct({ store_id: StoreId }))

/** The task that a schedule queues when it fires. */
export const crawlTask = (
  { priority, store_id }: Pick<CrawlSchedule, "priority" | "store_id">,
  now: Date
): NewTask => newTask({ kind: storeCrawl.name, payload: { store_id }, priority }, now.getTime())
